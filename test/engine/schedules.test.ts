import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Site } from '../../src/site/index.ts'
import { Box } from './box.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let box: Box
beforeEach(async () => {
  // Tuesday, 13:00 in Berlin.
  box = await new Box().start()
})
afterEach(() => box.stop())

const daily = (when: string, rest = '') => `
contract: workflow.v1
name: Round
state: on
${rest}
when: { schedule: { ${when} } }
then: [ log: "for {scheduled_for}" ]
`

/** The clock of the box stands wrong by `ms` from now on. */
function leap(ms: number) {
  const now = Object.getPrototypeOf(box.clock).now.bind(box.clock)
  box.clock.now = () => now() + ms
}

/** Lets what a turn of the clock set off come to its end. */
const settle = () => box.quiet()

async function pass(ms: number, step = MINUTE) {
  for (let gone = 0; gone < ms; gone += step) {
    box.clock.advance(Math.min(step, ms - gone))
    await Bun.sleep(2)
  }
  await settle()
}

/** What ran, oldest first: the text of the first step, or why there was none. */
const ran = () =>
  box.engine
    .runs({ limit: 100 })
    .reverse()
    .map(({ id, reason }) => box.engine.run(id)?.steps[0]?.inputs ?? reason)

const rows = () => box.store.due.ofKind('schedule').map(({ at }) => new Date(at).toISOString())

describe('a schedule', () => {
  test('runs at its times and says for which', async () => {
    const id = await box.save(daily('cron: "0,30 * * * *"'))
    expect(box.engine.workflow(String(id))?.next_run).toBe('2026-03-10T12:30:00.000Z')
    await pass(70 * MINUTE)
    expect(ran()).toEqual(['for 2026-03-10T13:30:00+01:00', 'for 2026-03-10T14:00:00+01:00'])
    expect(rows()).toEqual(['2026-03-10T13:30:00.000Z'])
    expect(box.engine.workflow(String(id))?.next_run).toBe('2026-03-10T13:30:00.000Z')
  })

  test('of several missed times runs the latest that is within its grace, and records the others', async () => {
    await box.save(daily('every: 20s, grace: 10s'))
    const [due = 0] = box.store.due.ofKind('schedule').map(({ at }) => at)
    await box.restart(due - box.clock.now() + 45_000)
    // The second one is seen to when the first is on the disk, however slow that is.
    for (let n = 0; n < 20 && ran().length < 2; n++) await pass(500, 500)
    const [missed, late] = ran()
    expect(missed).toBe(
      'Missed: it was due at 2026-03-10 13:00:20, as were times after it, and could not begin before ' +
        '2026-03-10 13:01:05, later than its grace allows.',
    )
    expect(late).toBe('for 2026-03-10T13:01:00+01:00')
    expect(rows()).toEqual([new Date(due + 60_000).toISOString()])
  })

  test('keeps its own pace: no cooldown and no rate of an hour stand in its way', async () => {
    await box.save(daily('every: 1m', 'limits: { cooldown: 10m, per_hour: 2 }'))
    await pass(5 * MINUTE, 30_000)
    expect(ran()).toHaveLength(5)
  })

  test('whose time comes while the disk is nearly full waits for room, as long as its grace lasts', async () => {
    await box.stop()
    let free = 10_000_000_000
    box = await new Box({ disk: async () => ({ total: 2 * free, free }) }).start()
    const id = await box.save(daily('at: "13:30", grace: 20m'))
    free = 1_000_000
    await pass(10 * MINUTE)
    expect(box.engine.upkeep.view().low).toBe(true)
    await pass(25 * MINUTE)
    expect(ran()).toEqual([])
    free = 10_000_000_000
    await pass(5 * MINUTE)
    expect(ran()).toEqual(['for 2026-03-10T13:30:00+01:00'])
    expect(box.engine.workflow(String(id))?.next_run).toBe('2026-03-11T12:30:00.000Z')
  })

  test('is not kept in Off, nor while its workflow needs attention, and is again afterwards', async () => {
    const id = await box.save(daily('every: 1h'), 'off')
    expect(rows()).toEqual([])
    await box.engine.setState(id, 'test')
    await settle()
    expect(rows()).toHaveLength(1)
    await box.engine.setState(id, 'off')
    await settle()
    expect(rows()).toEqual([])
    await pass(2 * HOUR, HOUR)
    expect(ran()).toEqual([])
  })

  test('a new version has its own times at once', async () => {
    const id = await box.save(daily('at: "15:00"'))
    await box.engine.save(daily('at: "14:00", days: [wed]'), { id })
    await settle()
    expect(rows()).toEqual(['2026-03-11T13:00:00.000Z'])
    await box.engine.save(daily('').replace('schedule: {  }', 'button: {}').replace('{scheduled_for}', ''), {
      id,
    })
    expect(rows()).toEqual([])
  })

  test('what its guard keeps out is no run, and the next time stands', async () => {
    await box.save(daily('every: 1h', 'if: [ site_mode: [armed_away] ]'))
    await pass(90 * MINUTE, 30 * MINUTE)
    expect(ran()).toEqual([])
    expect(rows()).toHaveLength(1)
    expect(box.engine.shed().guard).toBe(1)
  })

  test('follows the time zone of the site without a restart', async () => {
    await box.save(daily('at: "20:00"'))
    expect(rows()).toEqual(['2026-03-10T19:00:00.000Z'])
    box.site = Site.load('time_zone: America/New_York', 'site.yaml')
    await pass(MINUTE)
    expect(rows()).toEqual(['2026-03-11T00:00:00.000Z'])
  })

  test('crosses both daylight-saving nights', async () => {
    await box.stop()
    box = await new Box({ start: Date.UTC(2026, 2, 28, 20) }).start()
    await box.save(daily('at: "02:30"'))
    await pass(30 * HOUR, 30 * MINUTE)
    expect(ran()).toEqual(['for 2026-03-29T03:00:00+02:00', 'for 2026-03-30T02:30:00+02:00'])
  })
})

describe('a time that passed while the box was down', () => {
  test('runs once, late, within its grace', async () => {
    await box.save(daily('every: 2m'))
    await box.engine.stop()
    box.clock.advance(9 * MINUTE)
    await box.restart()
    await pass(1_000)
    expect(ran()).toEqual(['for 2026-03-10T13:02:00+01:00'])
    expect(rows()).toEqual(['2026-03-10T12:10:00.000Z'])
  })

  test('is recorded as missed behind it, among the runs, and the next one stands', async () => {
    await box.save(daily('at: "14:00", grace: 30m'))
    await box.engine.stop()
    box.clock.advance(HOUR + 31 * MINUTE)
    await box.restart()
    await pass(1_000)
    expect(ran()).toEqual([
      'Missed: it was due at 2026-03-10 14:00 and could not begin before 2026-03-10 14:31, later than its grace allows.',
    ])
    expect(box.engine.runs({ limit: 1 })).toMatchObject([{ status: 'failed', ended_at: expect.any(String) }])
    expect(rows()).toEqual(['2026-03-11T13:00:00.000Z'])
  })

  test('an interval is not shifted by a restart', async () => {
    await box.save(daily('every: 1h'))
    for (let i = 0; i < 3; i++) {
      await box.engine.stop()
      box.clock.advance(25 * MINUTE)
      await box.restart()
      await pass(1_000)
    }
    expect(ran()).toHaveLength(1)
    expect(rows()).toEqual(['2026-03-10T14:00:00.000Z'])
  })
})

describe('a clock that leaps', () => {
  test('ahead: each workflow runs once at most, however many times lie between', async () => {
    await box.save(daily('every: 2m, grace: 7d'))
    await box.save(daily('every: 2m').replace('Round', 'Other'))
    leap(5 * HOUR)
    await pass(MINUTE, 5_000)
    const [other, round] = ran().sort()
    expect(round).toContain('for 2026-03-10')
    expect(other).toContain('Missed')
    expect(ran()).toHaveLength(2)
  })

  test('back to 1970 and forth again: no storm, and the schedule goes on meanwhile', async () => {
    const now = box.clock.now()
    await box.save(daily('every: 1h'))
    leap(-now)
    await pass(2 * MINUTE)
    expect(rows()).toEqual(['1970-01-01T01:00:00.000Z'])
    await pass(HOUR)
    expect(ran()).toEqual(['for 1970-01-01T02:00:00+01:00'])
    leap(0)
    await pass(2 * MINUTE)
    expect(ran()).toHaveLength(3)
    expect(ran()[1]).toContain('Missed')
    expect(ran()[2]).toBe('for 2026-03-10T14:00:00+01:00')
    expect(rows()).toEqual(['2026-03-10T14:00:00.000Z'])
  })

  test('an hour back: what ran for a time does not run for it again', async () => {
    await box.save(daily('at: "13:30"'))
    await pass(31 * MINUTE)
    leap(-HOUR)
    await pass(40 * MINUTE)
    expect(ran()).toHaveLength(1)
  })
})

describe('a scheduled run whose turn has not come', () => {
  const moving = `
contract: workflow.v1
name: Lock up
state: on
when: { schedule: { every: 10s, grace: 1h } }
then:
  - webhook: { to: barrier, json: "{scheduled_for}" }
`

  test('waits for the one before it, once, and is not dropped', async () => {
    await box.save(moving)
    const gate = Promise.withResolvers<number>()
    box.answer = () => gate.promise
    await pass(45_000, 5_000)
    expect(box.sent).toHaveLength(1)
    box.answer = () => 200
    gate.resolve(200)
    await expect.poll(() => box.sent.length).toBe(2)
    await settle()
    expect(box.sent.map(({ json }) => json)).toEqual([
      '2026-03-10T13:00:10+01:00',
      '2026-03-10T13:00:20+01:00',
    ])
    expect(box.engine.runs({ limit: 9 }).map(({ id }) => box.engine.run(id)?.seen_again)).toEqual([0, 2])
  })

  test('a move that is more than a minute overdue by then is not made, and says so', async () => {
    await box.save(moving)
    const gate = Promise.withResolvers<number>()
    box.answer = () => gate.promise
    await pass(90_000, 5_000)
    gate.resolve(200)
    await settle()
    const late = await box.ended(2)
    expect(box.sent).toHaveLength(1)
    expect(late?.status).toBe('failed')
    expect(late?.steps[0]?.result).toMatchObject({ code: 'expired' })
  })

  test('a move that was due while the box was down is not made', async () => {
    await box.save(moving.replace('10s', '5m'))
    await box.engine.stop()
    box.clock.advance(7 * MINUTE)
    await box.restart()
    await pass(1_000)
    expect(box.sent).toEqual([])
    expect(box.engine.run(1)?.steps[0]?.result).toMatchObject({ code: 'expired' })
  })
})
