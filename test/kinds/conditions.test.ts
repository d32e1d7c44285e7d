import { describe, expect, test } from 'vitest'
import { type Condition, parse } from '../../src/contract/index.ts'
import { type ConditionContext, holds } from '../../src/kinds/index.ts'
import { Site } from '../../src/site/index.ts'

const site = Site.load(
  `
time_zone: Europe/Berlin
cameras: { gate: { roles: [gate, front] }, yard: { roles: [yard] } }
lists: { residents: ["B-AB 123", " m xy 9 ", " "] }
`,
  '/site.yaml',
)

const at = (local: string, timeZone = 'Europe/Berlin') =>
  Temporal.PlainDateTime.from(local).toZonedDateTime(timeZone).epochMilliseconds

function context(patch: Partial<ConditionContext> = {}): ConditionContext {
  return {
    values: {},
    now: at('2026-03-10T12:00'),
    site,
    mode: 'disarmed',
    identities: new Set(),
    cameraId: 'gate',
    succeeded: () => false,
    startedAt: at('2026-03-10T12:00'),
    ...patch,
  }
}

/** The conditions of a file, as the contract reads them. */
function conditions(flow: string): Condition[] {
  const text = `contract: workflow.v1\nname: C\nwhen: { event: { schema: made.up.v1 } }\nif: ${flow}\nthen: [ log: x ]\n`
  const { workflow, problems } = parse(text)
  if (!workflow) throw new Error(JSON.stringify(problems))
  return workflow.if
}

const all = (flow: string, patch: Partial<ConditionContext> = {}) =>
  conditions(flow).every(each => holds(each, context(patch)))

describe('time', () => {
  const inWindow = (params: string, local: string) => all(`[ time: ${params} ]`, { now: at(local) })

  test('from is inclusive, to exclusive', () => {
    const window = '{ from: "08:00", to: "18:00" }'
    expect(inWindow(window, '2026-03-10T07:59:59.999')).toBe(false)
    expect(inWindow(window, '2026-03-10T08:00')).toBe(true)
    expect(inWindow(window, '2026-03-10T17:59:59.999')).toBe(true)
    expect(inWindow(window, '2026-03-10T18:00')).toBe(false)
  })

  test('goes over midnight, and its days name the day on which it begins', () => {
    const window = '{ from: "22:00", to: "06:00", days: [fri] }'
    // 2026-03-13 is a Friday.
    expect(inWindow(window, '2026-03-13T21:59')).toBe(false)
    expect(inWindow(window, '2026-03-13T22:00')).toBe(true)
    expect(inWindow(window, '2026-03-14T05:59')).toBe(true)
    expect(inWindow(window, '2026-03-14T06:00')).toBe(false)
    expect(inWindow(window, '2026-03-14T22:30')).toBe(false)
    expect(inWindow(window, '2026-03-13T03:00')).toBe(false)
  })

  test('is the site’s time, whatever the machine’s', () => {
    expect(all('[ time: { from: "12:00", to: "12:01" } ]', { now: Date.UTC(2026, 6, 1, 10) })).toBe(true)
    expect(all('[ time: { from: "12:00", to: "12:01" } ]', { now: Date.UTC(2026, 0, 1, 11) })).toBe(true)
  })

  test('in the night of the missing hour a time in the gap means the first instant after it', () => {
    // 2026-03-29: 02:00 CET is followed by 03:00 CEST, at 01:00 UTC.
    const after = Date.UTC(2026, 2, 29, 1)
    const from = '[ time: { from: "02:30", to: "05:00" } ]'
    expect(all(from, { now: after - 1 })).toBe(false)
    expect(all(from, { now: after })).toBe(true)
    const to = '[ time: { from: "01:00", to: "02:30" } ]'
    expect(all(to, { now: after - 1 })).toBe(true)
    expect(all(to, { now: after })).toBe(false)
    const inside = '[ time: { from: "02:10", to: "02:50" } ]'
    for (let minute = -90; minute < 90; minute += 10)
      expect(all(inside, { now: after + minute * 60_000 })).toBe(false)
    const night = '[ time: { from: "22:00", to: "06:00" } ]'
    expect(all(night, { now: after })).toBe(true)
    expect(all(night, { now: Date.UTC(2026, 2, 29, 3, 59) })).toBe(true)
    expect(all(night, { now: Date.UTC(2026, 2, 29, 4) })).toBe(false)
  })

  test('in the night of the doubled hour a time that exists twice means its first', () => {
    // 2026-10-25: 03:00 CEST is followed by 02:00 CET, at 01:00 UTC.
    const first = Date.UTC(2026, 9, 25, 0, 30)
    const second = Date.UTC(2026, 9, 25, 1, 30)
    const to = '[ time: { from: "22:00", to: "02:30" } ]'
    expect(all(to, { now: first - 1 })).toBe(true)
    expect(all(to, { now: first })).toBe(false)
    expect(all(to, { now: second - 1 })).toBe(false)
    const from = '[ time: { from: "02:30", to: "06:00" } ]'
    expect(all(from, { now: first })).toBe(true)
    expect(all(from, { now: second - 60_000 })).toBe(true)
    expect(all(from, { now: Date.UTC(2026, 9, 25, 5) })).toBe(false)
  })

  test('holds in zones whose days begin without midnight', () => {
    // In Beirut the clock goes from 00:00 to 01:00 on 2026-03-29.
    const beirut = Site.load('time_zone: Asia/Beirut', '/site.yaml')
    const now = at('2026-03-29T01:00', 'Asia/Beirut')
    expect(all('[ time: { from: "00:00", to: "02:00", days: [sun] } ]', { site: beirut, now })).toBe(true)
    expect(all('[ time: { from: "00:00", to: "02:00", days: [sun] } ]', { site: beirut, now: now - 1 })).toBe(
      false,
    )
  })
})

describe('value', () => {
  const values = { label: 'Café Müller', count: 3, ok: true, tags: ['a', 'b'], empty: '', nothing: null }
  const value = (params: string, identities: string[] = []) =>
    all(`[ value: ${params} ]`, { values, identities: new Set(identities) })

  test.each([
    ['{ of: label, is: "CAFE MULLER" }', true],
    ['{ of: label, is: cafe }', false],
    ['{ of: label, contains_any: [muller] }', true],
    ['{ of: label, contains_any: [x, y] }', false],
    ['{ of: label, in: [x, "café müller"] }', true],
    ['{ of: label, is_not: x }', true],
    ['{ of: label, is_not: "cafe muller" }', false],
    ['{ of: count, at_least: 3 }', true],
    ['{ of: count, at_least: 4 }', false],
    ['{ of: count, at_most: 3 }', true],
    ['{ of: ok, is: "yes" }', true],
    ['{ of: label, present: "yes" }', true],
    ['{ of: empty, present: "yes" }', false],
    ['{ of: nothing, present: "no" }', true],
    ['{ of: unheard, present: "no" }', true],
    ['{ of: unheard, is_not: x }', false],
    ['{ of: unheard, is: "" }', false],
    ['{ of: unheard, at_most: 5 }', false],
  ])('%s', (params, expected) => {
    expect(value(params)).toBe(expected)
  })

  test('compares identities exactly: no accent and no part is overlooked', () => {
    expect(value('{ of: label, is: "cafe muller" }', ['label'])).toBe(false)
    expect(value('{ of: label, is: " CAFé Müller " }', ['label'])).toBe(true)
    expect(value('{ of: label, in: [x, "café müller"] }', ['label'])).toBe(true)
    expect(value('{ of: label, is_not: "cafe muller" }', ['label'])).toBe(true)
    expect(value('{ of: tags, is: a }', ['tags'])).toBe(false)
    expect(value('{ of: unheard, is_not: a }', ['unheard'])).toBe(false)
  })
})

describe('in_list', () => {
  const listed = (plate: unknown, list = 'residents') =>
    all(`[ in_list: { list: ${list}, value: "{plate}" } ]`, { values: { plate: plate as string } })

  test('compares whole identities, trimmed and without the case of ASCII letters', () => {
    expect(listed('b-ab 123')).toBe(true)
    expect(listed('M XY 9')).toBe(true)
    for (const other of ['B-AB 12', 'B-AB  123', 'BAB123', 'B-ÄB 123', '{plate}', 'residents']) {
      expect(listed(other)).toBe(false)
    }
  })

  test('nothing is in no list, and nothing empty in any', () => {
    for (const empty of ['', ' ', null, undefined]) expect(listed(empty)).toBe(false)
    expect(listed('b-ab 123', 'unheard')).toBe(false)
  })
})

describe('the others', () => {
  test('site_mode, camera, step_succeeded, elapsed', () => {
    expect(all('[ site_mode: [armed_home, armed_away] ]')).toBe(false)
    expect(all('[ site_mode: [armed_home, armed_away] ]', { mode: 'armed_away' })).toBe(true)
    expect(all('[ camera: [front] ]')).toBe(true)
    expect(all('[ camera: [yard] ]')).toBe(false)
    expect(all('[ camera: [front] ]', { cameraId: null })).toBe(false)
    const succeeded: Condition = { kind: 'step_succeeded', params: 'look' }
    expect(holds(succeeded, context())).toBe(false)
    expect(holds(succeeded, context({ succeeded: step => step === 'look' }))).toBe(true)
    const elapsed: Condition = { kind: 'elapsed', params: '5m' }
    const { startedAt } = context()
    expect(holds(elapsed, context({ now: startedAt + 299_999 }))).toBe(false)
    expect(holds(elapsed, context({ now: startedAt + 300_000 }))).toBe(true)
  })

  test('not, any and all combine', () => {
    const [yes, no] = ['{ camera: [gate] }', '{ camera: [yard] }']
    expect(all(`[ not: ${no} ]`)).toBe(true)
    expect(all(`[ not: ${yes} ]`)).toBe(false)
    expect(all(`[ any: [${no}, ${yes}] ]`)).toBe(true)
    expect(all(`[ any: [${no}, ${no}] ]`)).toBe(false)
    expect(all(`[ all: [${yes}, ${yes}] ]`)).toBe(true)
    expect(all(`[ all: [${yes}, { not: { any: [${no}, ${yes}] } }] ]`)).toBe(false)
  })
})
