import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { copiesIn, makeCopy } from '../../src/store/index.ts'
import { Box } from './box.ts'

let box: Box
beforeEach(async () => {
  box = await new Box().start()
})
afterEach(() => box.stop())

const GATE = `
contract: workflow.v1
name: Residents
state: on
limits: { cooldown: 0s, per_hour: 1000 }
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
then:
  - if: [ in_list: { list: residents, value: "{plate}" } ]
    then:
      - wait: 1m
      - webhook: { to: barrier, json: open }
`

/** The disk ruins the file while the box is off. */
async function ruin(): Promise<void> {
  await box.engine.stop()
  box.store.stop()
  const file = join(box.dir, 'gatehouse.db')
  writeFileSync(file, readFileSync(file).fill(0xa5, 0, 16_384))
}

test('what an older state had begun is over: no move is made twice, none is made before a person looked', async () => {
  const id = await box.save(GATE)
  const run = await box.begin(box.event())
  await box.until(run, 'waiting')
  await makeCopy(box.dir, box.clock.now(), 3)
  box.clock.advance(60_000)
  expect((await box.ended(run)).status).toBe('done')
  expect(box.sent).toHaveLength(1)
  const before = box.store.runs.list({ limit: 1 })[0]?.id ?? 0

  await ruin()
  await box.restart(3_600_000)
  expect(copiesIn(box.dir)).toHaveLength(1)
  const back = box.engine.run(run)
  expect(back).toMatchObject({ status: 'failed', error: expect.stringContaining('2026-03-10T12:00:00') })
  expect(box.store.due.all()).toEqual([])
  expect(box.store.steps.ofRun(run).every(({ endedAt }) => endedAt !== null)).toBe(true)
  const [notice] = box.engine.notices({ limit: 5 })
  expect(notice).toMatchObject({ severity: 'high', title: expect.stringContaining('older state') })
  expect(box.engine.holds.view()).toMatchObject({ paused: true, by: 'the box' })

  // A number that was given since is not given again, and what moves waits for a person.
  box.clock.advance(60_000)
  expect(box.sent).toHaveLength(1)
  expect(await box.begin(box.event())).toBeGreaterThan(before + 1000)
  expect(box.engine.workflow(String(id))?.state).toBe('on')

  // It is told once.
  await box.restart()
  expect(box.engine.notices({ limit: 5 })).toHaveLength(1)
})
