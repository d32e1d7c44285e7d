import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Box, picture } from './box.ts'

let box: Box
beforeEach(async () => {
  box = await new Box({ mostRuns: 1 }).start()
  await box.save(`
contract: workflow.v1
name: Gate
state: on
limits: { cooldown: 0s, per_hour: 1000, one_at_a_time: plate }
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
then: [ log: x ]
`)
})
afterEach(() => box.stop())

const event = (plate: string) =>
  box.event({ payload: { plate_text: plate, confidence: 0.97 }, pictures: [picture(plate)] })

test('a picture that cannot be stored keeps nobody waiting: neither its event nor the next for the same', async () => {
  const media = join(box.dir, 'media')
  writeFileSync(media, 'not a folder')
  const [first, second] = await Promise.allSettled([
    box.engine.submit(event('A 1')),
    box.engine.submit(event('A 1')),
  ])
  expect(first).toMatchObject({ status: 'rejected', reason: { code: expect.stringMatching(/^store_/) } })
  expect(second).toMatchObject({ value: [{ run: null, reason: { code: 'busy' } }] })
  rmSync(media)
  expect((await box.run(event('A 1'))).status).toBe('done')
})

test('runs whose pictures are being stored count as runs at work', async () => {
  const both = await Promise.all([box.engine.submit(event('A 1')), box.engine.submit(event('B 2'))])
  expect(both.map(([admission]) => admission?.reason?.code ?? 'begun')).toEqual(['begun', 'queue_full'])
})
