import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Box } from '../engine/box.ts'
import { smallDisk } from '../store/helpers.ts'

const FILE = `
contract: workflow.v1
name: Told
limits: { cooldown: 0s, per_hour: 1000, one_at_a_time: plate }
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
then: [ log: "{plate}" ]
`
const BIG = 'x'.repeat(30_000)

describe('an engine on a disk that is full', () => {
  test('says so for each event, stands in nobody’s way, and goes on when there is room', async context => {
    const disk = smallDisk()
    if (!disk) return context.skip()
    const box = await new Box({ base: disk }).start()
    onTestFinished(() => box.stop())
    await box.save(FILE, 'on')
    const plate = (n: number) => box.event({ payload: { plate_text: `P ${n}`, confidence: 1, note: BIG } })
    const stored: number[] = []
    let refused = 0
    for (let n = 0; n < 200 && refused < 5; n++) {
      const same = refused ? plate(n - refused) : plate(n)
      await box.begin(same).then(
        run => stored.push(run),
        error => {
          expect(error).toMatchObject({ code: 'disk_full', status: 507 })
          refused++
        },
      )
    }
    expect(stored.length).toBeGreaterThan(5)
    expect(refused).toBe(5)
    expect(Bun.spawnSync(['mount', '-o', 'remount,size=16m', disk]).success).toBe(true)
    writeFileSync(join(disk, 'room'), '')
    box.clock.advance(10_000)
    const run = await box.run(plate(stored.length))
    expect(run.status).toBe('done')
    await box.restart()
    const ids = box.engine.runs({ limit: 500 }).map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([...stored, run.id]))
    for (const id of ids) expect((await box.ended(id)).status).toBe('done')
  })
})
