import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aurocOf, calibrationOf, type Pair } from '../../../src/ai/eval/calibration.ts'
import { isMoreThanChance, mcnemar } from '../../../src/ai/eval/chance.ts'
import { reliabilityPlot } from '../../../src/ai/eval/plot.ts'
import { calibrationsOf, rank, summariesOf } from '../../../src/ai/eval/summary.ts'
import { gateNeeds, gateWords, passes } from '../../../src/ai/index.ts'
import { result } from './results.ts'

describe('McNemar’s exact test', () => {
  test.each([
    [{ gained: 0, lost: 0 }, 1],
    [{ gained: 5, lost: 5 }, 1],
    [{ gained: 1, lost: 0 }, 1],
    [{ gained: 5, lost: 0 }, 0.0625],
    [{ gained: 6, lost: 0 }, 0.03125],
    [{ gained: 2, lost: 10 }, 2 * ((1 + 12 + 66) / 4096)],
  ])('%o: %d', (flips, p) => {
    expect(mcnemar(flips)).toBeCloseTo(p, 10)
  })
  test('takes hundreds of flips, and five out of five for chance', () => {
    expect(mcnemar({ gained: 900, lost: 700 })).toBeLessThan(0.001)
    expect(mcnemar({ gained: 2000, lost: 2000 })).toBe(1)
    expect(isMoreThanChance({ gained: 5, lost: 0 })).toBe(false)
    expect(isMoreThanChance({ gained: 0, lost: 6 })).toBe(true)
  })
})

describe('how sure, and how right', () => {
  const pairs = fc.array(
    fc.record({ confidence: fc.integer({ min: 0, max: 10 }).map(n => n / 10), right: fc.boolean() }),
    { minLength: 1, maxLength: 40 },
  )

  test('the AUROC is the share of pairs of a right and a wrong one that stand in order', () => {
    fc.assert(
      fc.property(pairs, all => {
        const right = all.filter(pair => pair.right)
        const wrong = all.filter(pair => !pair.right)
        const won = right.flatMap(({ confidence }) =>
          wrong.map(other => (confidence > other.confidence ? 1 : confidence === other.confidence ? 0.5 : 0)),
        )
        const is = aurocOf(all)
        if (won.length) expect(is).toBeCloseTo(won.reduce<number>((a, b) => a + b, 0) / won.length, 10)
        else expect(is).toBeNull()
      }),
    )
  })

  test('every case stands in one row', () => {
    fc.assert(
      fc.property(pairs, all => {
        const rows = calibrationOf(all)?.rows ?? []
        expect(rows.reduce((sum, { cases }) => sum + cases, 0)).toBe(all.length)
        for (const { from, to, said } of rows) expect(said > from - 1e-9 && said < to + 1e-9).toBe(true)
      }),
    )
  })

  test('what holds what it says is off by nothing', () => {
    const honest: Pair[] = Array.from({ length: 20 }, (_, i) => ({ confidence: 0.75, right: i < 15 }))
    expect(calibrationOf(honest)).toMatchObject({
      error: 0,
      auroc: 0.5,
      rows: [{ from: 0.7, to: 0.8, cases: 20 }],
    })
    expect(calibrationOf([])).toBeNull()
  })

  test('is told apart by source; unsure ones are no decisions', () => {
    const found = calibrationsOf([
      result({ id: 'one', confidence: 0.9, source: 'likelihood', selfReported: 0.99 }),
      result({ id: 'two', confidence: 0.6, source: 'likelihood', selfReported: 0.99, right: false }),
      result({ id: 'three', confidence: 0.8, source: 'measured' }),
      result({ id: 'four', confidence: 0.2, source: 'measured', unsure: 'below_floor' }),
    ])
    expect(found.map(({ source, cases, auroc }) => [source, cases, auroc])).toEqual([
      ['measured', 1, null],
      ['likelihood', 2, 1],
      ['self_reported', 2, 0.5],
    ])
  })

  test('the plot is one SVG that runs nothing, and its title cannot break out', () => {
    const calibration = calibrationOf([{ confidence: 0.9, right: true }])
    if (!calibration) throw new Error('there is one case')
    const svg = reliabilityPlot('a <script>"&', calibration)
    expect(svg).toMatch(/^<svg [\s\S]*<\/svg>$/)
    expect(svg).toContain('a &lt;script&gt;&quot;&amp; (1 cases)')
    expect(svg).not.toMatch(/<script|href|url\(/)
    // 90 % said: nine tenths of the way; all right: at the top.
    expect(svg).toContain('<circle class="p" cx="260" cy="28"')
  })
})

describe('summaries', () => {
  test('count by suite and part what was right, unsure, called, hit and taken', () => {
    const all = summariesOf([
      result({ id: 'one', seconds: 1, tokensIn: 10, limits: ['seconds', 'seconds'] }),
      result({
        id: 'two',
        seconds: 3,
        right: false,
        split: 'held_out',
        tools: { needed: ['site_lookup'], missing: ['site_lookup'], called: [] },
      }),
      result({
        id: 'three',
        seconds: 2,
        unsure: 'no_rule',
        trap: 'orders',
        tools: { needed: ['site_lookup'], missing: [], called: ['site_lookup'] },
      }),
      result({ id: 'four', suite: 'draft' }),
    ])
    expect(all.map(({ suite, part, cases, right }) => [suite, part, cases, right])).toEqual([
      ['investigate', 'all', 3, 2],
      ['investigate', 'seen', 2, 2],
      ['investigate', 'held_out', 1, 0],
      ['investigate', 'traps', 1, 1],
      ['draft', 'all', 1, 1],
      ['draft', 'seen', 1, 1],
    ])
    expect(all[0]).toMatchObject({
      unsure: { cases: 1, share: 1 / 3, right: 1 },
      tools: { needed: 2, called: 1 },
      limits: { seconds: 1 },
      seconds: { p50: 2, p95: 3 },
      tokens: { in: 10, out: 0 },
    })
    expect(all[5]?.tools).toBeNull()
  })
  test('ranks', () => {
    expect([rank([], 0.5), rank([7], 0.95), rank([1, 2, 3, 4], 0.5), rank([1, 2, 3, 4], 0.95)]).toEqual([
      0, 7, 2, 4,
    ])
  })
})

describe('gates', () => {
  test.each([
    [20, 20, true],
    [15, 15, false],
    [16, 16, true],
    [37, 40, true],
    [36, 40, false],
    [0, 0, false],
  ])('%i of %i: %s', (right, cases, passed) => {
    expect(passes({ right, cases })).toBe(passed)
  })
  test('say what it takes, in figures that one can count to', () => {
    expect(gateNeeds(40)).toBe('37 of 40 right')
    expect(gateNeeds(10)).toBe('more than 10 cases')
    expect(gateWords({ right: 36, cases: 40 })).toBe(
      'not passed (36 of 40 right: at least 76 % with 95 % certainty; it takes 37 of 40 right)',
    )
    expect(gateWords({ right: 37, cases: 40 })).toMatch(/^passed \(37 of 40 right: at least 80 %/)
  })
})
