import { describe, expect, test } from 'vitest'
import { nextOccurrence } from '../../src/kinds/index.ts'

const berlin = 'Europe/Berlin'
const anchor = Date.UTC(2026, 0, 1, 8, 7)

/** The next `n` times behind `after`, on the zone's clock. */
function times(params: Record<string, string | string[]>, after: string, n: number, timeZone = berlin) {
  const found: string[] = []
  let at = Temporal.Instant.from(after).epochMilliseconds
  for (let i = 0; i < n; i++) {
    const next = nextOccurrence(params, at, { timeZone, anchor })
    if (next === null) break
    at = next
    found.push(Temporal.Instant.fromEpochMilliseconds(at).toString({ timeZone, smallestUnit: 'minute' }))
  }
  return found
}

describe('times of day', () => {
  test('follow the clock of the site, on the days that are named', () => {
    expect(times({ at: '07:00' }, '2026-03-10T12:00Z', 2)).toEqual([
      '2026-03-11T07:00+01:00',
      '2026-03-12T07:00+01:00',
    ])
    expect(times({ at: '22:30', days: ['sat', 'sun'] }, '2026-03-10T12:00Z', 3)).toEqual([
      '2026-03-14T22:30+01:00',
      '2026-03-15T22:30+01:00',
      '2026-03-21T22:30+01:00',
    ])
  })

  test('one that does not exist runs at the first instant after the gap', () => {
    expect(times({ at: '02:30' }, '2026-03-28T12:00Z', 2)).toEqual([
      '2026-03-29T03:00+02:00',
      '2026-03-30T02:30+02:00',
    ])
    // Where midnight itself is left out, the day begins at one.
    expect(times({ at: '00:00' }, '2026-03-28T12:00Z', 1, 'Asia/Beirut')).toEqual(['2026-03-29T01:00+03:00'])
  })

  test('one that exists twice runs once, the first time', () => {
    expect(times({ at: '02:30' }, '2026-10-24T12:00Z', 2)).toEqual([
      '2026-10-25T02:30+02:00',
      '2026-10-26T02:30+01:00',
    ])
  })
})

describe('cron lines', () => {
  test.each([
    [
      '*/20 8-9 * * *',
      [
        '2026-03-11T08:00+01:00',
        '2026-03-11T08:20+01:00',
        '2026-03-11T08:40+01:00',
        '2026-03-11T09:00+01:00',
      ],
    ],
    [
      '0 7 * * mon-fri',
      [
        '2026-03-11T07:00+01:00',
        '2026-03-12T07:00+01:00',
        '2026-03-13T07:00+01:00',
        '2026-03-16T07:00+01:00',
      ],
    ],
    ['0 7 * * 7', ['2026-03-15T07:00+01:00', '2026-03-22T07:00+01:00']],
    // Both days restricted: either is enough, as cron has always had it.
    [
      '0 0 13 * fri',
      [
        '2026-03-13T00:00+01:00',
        '2026-03-20T00:00+01:00',
        '2026-03-27T00:00+01:00',
        '2026-04-03T00:00+02:00',
      ],
    ],
    ['0 0 29 feb *', ['2028-02-29T00:00+01:00', '2032-02-29T00:00+01:00']],
    ['5,10 0 1 1,7 *', ['2026-07-01T00:05+02:00', '2026-07-01T00:10+02:00', '2027-01-01T00:05+01:00']],
  ])('%s', (cron, expected) => {
    expect(times({ cron }, '2026-03-10T12:00Z', expected.length)).toEqual(expected)
  })

  test('name each local time once on the nights on which the clock is turned', () => {
    expect(times({ cron: '*/30 * * * *' }, '2026-03-29T00:20Z', 4)).toEqual([
      '2026-03-29T01:30+01:00',
      '2026-03-29T03:00+02:00',
      '2026-03-29T03:30+02:00',
      '2026-03-29T04:00+02:00',
    ])
    expect(times({ cron: '*/30 * * * *' }, '2026-10-24T23:20Z', 5)).toEqual([
      '2026-10-25T01:30+02:00',
      '2026-10-25T02:00+02:00',
      '2026-10-25T02:30+02:00',
      '2026-10-25T03:00+01:00',
      '2026-10-25T03:30+01:00',
    ])
    // Asked in the middle of the second hour of that name.
    expect(times({ cron: '*/30 * * * *' }, '2026-10-25T01:10Z', 1)).toEqual(['2026-10-25T03:00+01:00'])
  })
})

describe('intervals', () => {
  test('are counted from the anchor, whatever the clock of the site does', () => {
    const after = '2026-03-29T00:08Z'
    expect(times({ every: '1h' }, after, 3)).toEqual([
      '2026-03-29T03:07+02:00',
      '2026-03-29T04:07+02:00',
      '2026-03-29T05:07+02:00',
    ])
    expect(times({ every: '1h' }, after, 3, 'America/New_York')[0]).toBe('2026-03-28T21:07-04:00')
  })

  test('also before the anchor: a clock that was set back does not stop them', () => {
    expect(times({ every: '1d' }, '1970-01-01T00:00Z', 1)).toEqual(['1970-01-01T09:07+01:00'])
  })
})
