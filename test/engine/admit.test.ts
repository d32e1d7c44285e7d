import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Box } from './box.ts'

let box: Box
beforeEach(async () => {
  box = await new Box().start()
})
afterEach(() => box.stop())

const file = (parts: { limits?: string; when?: string; if?: string; then?: string; name?: string } = {}) => `
contract: workflow.v1
name: ${parts.name ?? 'W'}
state: on
limits: ${parts.limits ?? '{}'}
when: ${parts.when ?? '{ event: { schema: plate.recognized.v1, cameras: [gate, yard] } }'}
${parts.if ? `if: ${parts.if}` : ''}
then: ${parts.then ?? '[ log: ran ]'}
`
const none = '{ cooldown: 0s, per_hour: 1000 }'

describe('an event', () => {
  test('starts every workflow that it fits, and no other', async () => {
    await box.save(file({ name: 'One', limits: none }))
    await box.save(file({ name: 'Two', limits: none }))
    await box.save(
      file({ name: 'Yard only', when: '{ event: { schema: plate.recognized.v1, cameras: [yard] } }' }),
    )
    await box.save(file({ name: 'Other', when: '{ event: { schema: visit.recorded.v1 } }' }))
    const admissions = await box.engine.submit(box.event())
    expect(admissions.map(({ workflow, run }) => [workflow, run !== null])).toEqual([
      ['one', true],
      ['two', true],
    ])
    expect(await box.engine.submit(box.event({ schema: 'occupancy.changed.v1' }))).toEqual([])
  })

  test('that was taken before is a repeat, after a restart too', async () => {
    await box.save(file({ limits: none }))
    const event = box.event()
    await box.run(event)
    expect(await box.refused({ ...event })).toBe('seen')
    await box.restart()
    expect(await box.refused({ ...event })).toBe('seen')
    expect(box.engine.shed()).toEqual({ seen: 1 })
  })

  test('that is late, replayed or dated ahead starts nothing; a call of a hook is never late', async () => {
    await box.save(file({ limits: none }))
    const now = box.clock.now()
    expect(await box.refused(box.event({ at: now - 301_000 }))).toBe('stale')
    expect(await box.refused(box.event({ at: now + 301_000 }))).toBe('stale')
    await box.run(box.event({ at: now - 299_000 }))
    const hook = await box.save(file({ name: 'Hook', when: '{ webhook: {} }' }))
    await box.run({ ...box.hook(hook), at: now - 86_400_000 })
  })

  test('of a chain of three, or that the workflow caused itself, starts nothing', async () => {
    await box.save(file({ limits: none }))
    expect(await box.refused(box.event({ chain: ['a', 'b', 'c'] }))).toBe('chain')
    expect(await box.refused(box.event({ chain: ['w'] }))).toBe('own_alert')
    expect(await box.refused(box.event({ source: 'workflow.w' }))).toBe('own_alert')
    await box.run(box.event({ chain: ['a', 'b'] }))
  })

  test('finds a workflow that is Off or addressed in vain saying so', async () => {
    const id = await box.save(file({ limits: none }), 'off')
    expect(await box.refused(box.event())).toBe('off')
    await box.engine.setState(id, 'on')
    expect(await box.refused(box.hook(id))).toBe('no_match')
    const [other] = await box.engine.submit(box.hook(id))
    expect(other?.reason?.message).toMatch(/it waits for an event plate\.recognized\.v1/)
    expect(await box.engine.submit(box.hook(999))).toEqual([])
  })

  test('finds a workflow that needs what this version cannot do saying so', async () => {
    const id = await box.save(
      file({
        then: '[ { call: { who: role:guard, goal: Open?, outcomes: ["Yes", "No"], timeout: 60s } } ]',
      }),
    )
    expect(box.engine.workflow(String(id))?.needs_attention).toContain('call')
    expect(await box.refused(box.event())).toBe('needs_attention')
    await box.engine.setState(id, 'on')
    expect(await box.refused(box.event())).toBe('needs_attention')
  })
})

test('hostile events neither start what they should not nor break anything', async () => {
  await box.save(file({ limits: none, then: '[ log: "{vehicle_label}" ]' }))
  for (const at of [Number.NaN, Number.POSITIVE_INFINITY, -1e300])
    expect(await box.refused(box.event({ at }))).toBe('stale')
  const hook = await box.save(
    file({ name: 'Hook', limits: none, when: '{ webhook: {} }', then: '[ log: "{x}" ]' }),
  )
  const run = await box.run({ ...box.hook(hook, { x: 'y'.repeat(100_000) }), at: Number.NaN })
  expect(String(run.steps[0]?.inputs).length).toBeLessThan(17_000)
  const id = `${'i'.repeat(10_000)}\u0000\ud800`
  await box.run({ ...box.hook(hook, { x: '\u0000\ud800' }), id, cameraId: "'; DROP TABLE workflow_runs; --" })
  expect(await box.refused({ ...box.hook(hook), id })).toBe('seen')
})

describe('guards', () => {
  test('filter before the cooldown: what they keep out costs nothing', async () => {
    await box.save(file({ if: '[ not: { in_list: { list: residents, value: "{plate}" } } ]' }))
    expect(await box.refused(box.event())).toBe('guard')
    const stranger = { plate_text: 'X 1', confidence: 1 }
    await box.run(box.event({ payload: stranger }))
    expect(await box.refused(box.event({ payload: stranger }))).toBe('cooldown')
    expect(await box.refused(box.event())).toBe('guard')
  })
})

describe('limits', () => {
  test('the cooldown holds per camera, and over a restart', async () => {
    await box.save(file())
    await box.run(box.event())
    expect(await box.refused(box.event())).toBe('cooldown')
    await box.run(box.event({ cameraId: 'yard-1' }))
    await box.run(box.event({ cameraId: 'yard-2' }))
    await box.restart()
    expect(await box.refused(box.event())).toBe('cooldown')
    box.clock.advance(59_999)
    expect(await box.refused(box.event())).toBe('cooldown')
    box.clock.advance(1)
    await box.run(box.event())
  })

  test('without a camera the cooldown is the workflow’s', async () => {
    const id = await box.save(file({ when: '{ webhook: {} }' }))
    await box.run(box.hook(id))
    expect(await box.refused(box.hook(id))).toBe('cooldown')
    await box.run(box.hook(id, {}, 'gate'))
  })

  test('one run at a time per camera; a repeat is counted where it waits', async () => {
    await box.save(file({ limits: none, then: '[ wait: 5m ]' }))
    const id = await box.begin(box.event())
    expect(await box.refused(box.event())).toBe('busy')
    await box.until(id, 'waiting')
    expect(await box.refused(box.event())).toBe('busy')
    await box.begin(box.event({ cameraId: 'yard-1' }))
    await box.restart()
    expect(await box.refused(box.event())).toBe('busy')
    expect(box.engine.run(id)?.seen_again).toBe(3)
    box.clock.advance(300_000)
    await box.ended(id)
    await box.begin(box.event())
  })

  test('one run at a time per plate, however it is written', async () => {
    await box.save(file({ limits: '{ cooldown: 0s, one_at_a_time: plate }', then: '[ wait: 5m ]' }))
    await box.begin(box.event())
    const again = { plate_text: ' b-ab 123', confidence: 1 }
    expect(await box.refused(box.event({ cameraId: 'yard-1', payload: again }))).toBe('busy')
    await box.begin(box.event({ payload: { plate_text: 'OTHER', confidence: 1 } }))
  })

  test('so many runs an hour and no more, over a restart too', async () => {
    await box.save(file({ limits: '{ cooldown: 0s, per_hour: 3 }' }))
    for (let i = 0; i < 3; i++) {
      await box.run(box.event())
      box.clock.advance(60_000)
    }
    expect(await box.refused(box.event())).toBe('per_hour')
    await box.restart()
    expect(await box.refused(box.event())).toBe('per_hour')
    box.clock.advance(3_600_000 - 180_000)
    await box.run(box.event())
    expect(await box.refused(box.event())).toBe('per_hour')
  })

  test('more at once than the box takes is shed and counted', async () => {
    await box.stop()
    box = await new Box({ mostRuns: 2 }).start()
    await box.save(
      file({
        limits: '{ cooldown: 0s, one_at_a_time: plate, per_hour: 1000 }',
        then: '[ webhook: { to: chat } ]',
      }),
    )
    const answer = Promise.withResolvers<number>()
    box.answer = () => answer.promise
    const plate = (n: number) => box.event({ payload: { plate_text: `P ${n}`, confidence: 1 } })
    await box.begin(plate(1))
    await box.begin(plate(2))
    const shed = plate(3)
    expect(await box.refused(shed)).toBe('queue_full')
    expect(box.engine.shed()).toEqual({ queue_full: 1 })
    answer.resolve(200)
    await expect.poll(() => box.engine.runs({ limit: 9 }).every(({ status }) => status === 'done')).toBe(true)
    await box.run(shed)
  })
})

test('what one workflow took and another had no room for is news for the other alone, over a restart', async () => {
  await box.stop()
  box = await new Box({ mostRuns: 2 }).start()
  const waits = '[ wait: 1m ]'
  for (const name of ['One', 'Two', 'Three']) await box.save(file({ name, limits: none, then: waits }))
  const event = box.event()
  const codes = async () => (await box.engine.submit({ ...event })).map(({ reason }) => reason?.code ?? 'run')
  expect(await codes()).toEqual(['run', 'run', 'queue_full'])
  await box.restart()
  expect(await codes()).toEqual(['seen', 'seen', 'run'])
  await box.restart()
  expect(await codes()).toEqual(['seen', 'seen', 'seen'])
})

test('a run holds what its own version runs one at a time for, whatever the file says since', async () => {
  const yaml = (each: string) =>
    file({ limits: `{ cooldown: 0s, per_hour: 1000, one_at_a_time: ${each} }`, then: '[ wait: 30s ]' })
  const plate = (n: number) => box.event({ payload: { plate_text: `P ${n}`, confidence: 1 } })
  const id = await box.save(yaml('camera'), 'on')
  const first = await box.begin(plate(1))
  await box.engine.save(yaml('plate'), { id, by: 'Ann' })
  const second = await box.begin(plate(2))
  box.clock.advance(30_000)
  await box.ended(first)
  await box.ended(second)
  await box.engine.save(yaml('camera'), { id, by: 'Ann' })
  const third = await box.begin(plate(3))
  expect(await box.refused(plate(4))).toBe('busy')
  box.clock.advance(30_000)
  await box.ended(third)
  await box.begin(plate(5))
})

describe('a press', () => {
  const button = file({ when: '{ button: {} }', then: '[ wait: 30s ]' })

  test('brings its pictures along while it waits its turn, over a restart', async () => {
    const id = await box.save(button)
    const first = await box.begin(box.press(id))
    await box.until(first, 'waiting')
    const picture = { bytes: new Uint8Array([1, 2, 3]), takenAt: box.clock.now(), source: 'upload' }
    expect(await box.refused({ ...box.press(id), pictures: [picture] })).toBe('queued')
    await box.restart(30_000)
    await box.ended(first)
    await expect.poll(() => box.engine.runs({ limit: 9 })).toHaveLength(2)
    const second = box.engine.runs({ limit: 1 })[0]?.id ?? 0
    expect(box.store.media.ofRun(second)).toMatchObject([{ bytes: 3, source: 'upload' }])
  })

  test('that comes with another one in the same moment is not left to wait', async () => {
    const id = await box.save(file({ when: '{ button: {} }' }))
    await Promise.all([box.engine.submit(box.press(id)), box.engine.submit(box.press(id))])
    await expect
      .poll(() => box.engine.runs({ limit: 9 }).map(({ status }) => status))
      .toEqual(['done', 'done'])
  })

  test('of a known person waits for the run before it and is not dropped, over a restart', async () => {
    const id = await box.save(button)
    const first = await box.begin(box.press(id))
    await box.until(first, 'waiting')
    expect(await box.refused(box.press(id))).toBe('queued')
    expect(await box.refused(box.press(id))).toBe('queued')
    await box.restart()
    expect(box.engine.runs({ limit: 10 })).toHaveLength(1)
    box.clock.advance(30_000)
    await box.ended(first)
    await expect
      .poll(() => box.engine.runs({ limit: 10 }).map(({ status }) => status))
      .toEqual(['waiting', 'done'])
    box.clock.advance(30_000)
    await expect
      .poll(() => box.engine.runs({ limit: 10 }).map(({ status }) => status))
      .toEqual(['waiting', 'done', 'done'])
    box.clock.advance(30_000)
    await expect.poll(() => box.engine.runs({ limit: 10 })[0]?.status).toBe('done')
    expect(box.engine.runs({ limit: 10 })).toHaveLength(3)
    expect(box.store.due.all()).toEqual([])
  })

  test('of nobody known is limited like any event', async () => {
    const id = await box.save(button)
    const first = await box.begin(box.press(id, null))
    await box.until(first, 'waiting')
    expect(await box.refused(box.press(id, null))).toBe('busy')
    box.clock.advance(30_000)
    await box.ended(first)
    expect(await box.refused(box.press(id, null))).toBe('cooldown')
    await box.begin(box.press(id))
  })

  test('that waits too many is refused, not kept without end', async () => {
    const id = await box.save(button)
    await box.begin(box.press(id))
    const codes: (string | undefined)[] = []
    for (let i = 0; i < 4; i++) codes.push(await box.refused(box.press(id)))
    // Those of one moment count each other.
    codes.push(...(await Promise.all(Array.from({ length: 40 }, () => box.refused(box.press(id))))))
    expect(codes.sort()).toEqual([...Array(36).fill('queue_full'), ...Array(8).fill('queued')])
  })

  test('that waits is let go when the workflow is Off by then', async () => {
    const id = await box.save(button)
    const first = await box.begin(box.press(id))
    await box.until(first, 'waiting')
    expect(await box.refused(box.press(id))).toBe('queued')
    await box.engine.setState(id, 'off')
    box.clock.advance(30_000)
    await box.ended(first)
    await expect.poll(() => box.store.due.all()).toEqual([])
    expect(box.engine.runs({ limit: 10 })).toHaveLength(1)
  })
})
