import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Box } from './box.ts'

const HOUR = 3_600_000
let box: Box
beforeEach(async () => {
  box = await new Box().start()
})
afterEach(() => box.stop())

const flow = (
  name: string,
  steps: string,
  when = '{ event: { schema: plate.recognized.v1, cameras: [gate] } }',
) => `
contract: workflow.v1
name: ${name}
state: on
limits: { cooldown: 0s, per_hour: 1000 }
when: ${when}
then:
${steps}
`
const leap = (ms: number, sinceStart = false) =>
  box.engine.clockLeapt({ ms, sinceStart, adopt: () => box.clock.leap(ms) })

describe.each([3 * HOUR, -5 * HOUR, 56 * 365 * 24 * HOUR])('a clock that leaps by %d', ms => {
  test('ends no wait and no question early, nor late', async () => {
    await box.save(flow('Waits', '  - wait: 1h'))
    await box.save(
      flow(
        'Asks',
        '  - ask_person: { who: "role:guard", message: "Well?", timeout: 1h, replies: [Let in, Refuse], default: Refuse }',
      ),
    )
    const runs = (await box.engine.submit(box.event())).map(({ run }) => run ?? 0)
    expect(runs).toHaveLength(2)
    for (const run of runs) await box.until(run, 'waiting')
    box.clock.advance(59 * 60_000)
    await leap(ms)
    await box.quiet()
    expect(runs.map(run => box.engine.run(run)?.status)).toEqual(['waiting', 'waiting'])
    const [question] = box.engine.approvals({ open: true })
    expect(Date.parse(question?.deadline ?? '')).toBe(box.clock.now() + 60_000)
    box.clock.advance(61_000)
    expect((await Promise.all(runs.map(run => box.ended(run)))).map(({ status }) => status)).toEqual([
      'done',
      'done',
    ])
    expect(box.engine.notices({ limit: 1 })).toMatchObject([
      { title: expect.stringMatching(/^The clock was set/) },
    ])
  })

  test('makes no storm of schedules', async () => {
    await box.save(flow('Every', '  - log: here', '{ schedule: { every: 5m } }'))
    box.clock.advance(11 * 60_000)
    await box.quiet()
    const before = box.engine.runs({ limit: 100 }).length
    await leap(ms)
    await box.quiet()
    box.clock.advance(60_000)
    await box.quiet()
    expect(box.engine.runs({ limit: 100 }).length - before).toBeLessThanOrEqual(2)
    const next = Date.parse(box.engine.workflows()[0]?.next_run ?? '')
    expect(next - box.clock.now()).toBeGreaterThan(0)
    expect(next - box.clock.now()).toBeLessThanOrEqual(5 * 60_000)
  })
})

test('a clock that was wrong since the start leaves what is older as it was', async () => {
  await box.save(flow('Waits', '  - wait: 2h', '{ event: { schema: plate.recognized.v1 } }'))
  const old = await box.begin(box.event())
  await box.until(old, 'waiting')
  await box.restart()
  const young = await box.begin(box.event({ cameraId: 'yard-1' }))
  await box.until(young, 'waiting')
  await leap(3 * HOUR, true)
  box.clock.advance(1_000)
  expect((await box.ended(old)).status).toBe('done')
  await box.quiet()
  expect(box.engine.run(young)?.status).toBe('waiting')
})
