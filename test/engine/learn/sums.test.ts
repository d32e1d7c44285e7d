import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse, type Workflow } from '../../../src/contract/index.ts'
import { fewestRight, wilson } from '../../../src/core/index.ts'
import { changesBetween } from '../../../src/engine/learn/changes.ts'
import { gateNeeds, gateOf } from '../../../src/engine/learn/gate.ts'
import { judgesOf } from '../../../src/engine/learn/judge.ts'
import { hundredths, type Pair, suggestSure } from '../../../src/engine/learn/suggest.ts'

describe('the Wilson interval', () => {
  // Newcombe 1998, table I, method 3 (81/263, 15/148, 0/20, 1/29), and what 20 of 20 comes to by hand.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
    [20, 20, 0.8389, 1],
  ])('of %i out of %i is known', (right, marks, low, high) => {
    const interval = wilson(right, marks)
    expect(interval?.low).toBeCloseTo(low, 4)
    expect(interval?.high).toBeCloseTo(high, 4)
  })

  test('lies around the share, within 0 and 1, and there is none without marks', () => {
    expect(wilson(0, 0)).toBeNull()
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5000 }),
        fc.float({ min: 0, max: 1, noNaN: true }),
        (marks, part) => {
          const right = Math.round(marks * part)
          const { share, low, high } = wilson(right, marks) ?? { share: -1, low: -1, high: -1 }
          expect(0 <= low && low <= share && share <= high && high <= 1 && low < high).toBe(true)
        },
      ),
    )
  })

  test('at 0.80 takes 20 of 20 or 37 of 40', () => {
    expect([15, 16, 20, 40].map(marks => fewestRight(marks, 0.8))).toEqual([null, 16, 20, 37])
    expect(gateNeeds({ marks: 20, low: 0.8 })).toBe('20 of 20 right, or 37 of 40')
    expect(gateNeeds({ marks: 10, low: 0.8 })).toBe('16 of 16 right, or 31 of 32')
  })
})

test('the gate opens at enough marks of enough accuracy, and says what is missing', () => {
  const gate = { marks: 20, low: 0.8 }
  expect(gateOf({ marks: 20, right: 20 }, gate)).toEqual({ open: true, why: null })
  expect(gateOf({ marks: 40, right: 37 }, gate).open).toBe(true)
  expect(gateOf({ marks: 40, right: 36 }, gate).open).toBe(false)
  expect(gateOf({ marks: 19, right: 19 }, gate)).toEqual({
    open: false,
    why: '19 of 19 marks say right; above medium it takes 20 of 20 right, or 37 of 40',
  })
  expect(gateOf({ marks: 0, right: 0 }, gate).why).toContain('no run of it was marked')
})

describe('a suggested threshold', () => {
  const pairs = (right: number, of: number, confidence: number): Pair[] =>
    Array.from({ length: of }, (_, i) => ({ confidence, right: i < right }))

  test('is the lowest that is right often enough', () => {
    const all = [...pairs(10, 30, 0.5), ...pairs(30, 30, 0.7), ...pairs(30, 30, 0.9)]
    expect(suggestSure(all, 0.8)).toMatchObject({
      sure: 0.7,
      kept: 60,
      of: 90,
      right: 60,
      share: 1,
      enough: true,
    })
  })

  test('is the best there is where none is', () => {
    const all = [...pairs(10, 30, 0.5), ...pairs(20, 30, 0.905)]
    expect(suggestSure(all, 0.8)).toMatchObject({ sure: 0.9, kept: 30, right: 20, enough: false })
  })

  test('takes 20 decisions', () => {
    expect(suggestSure(pairs(19, 19, 0.9), 0.8)).toBeNull()
    expect(suggestSure(pairs(20, 20, 0.9), 0.8)).toMatchObject({ sure: 0.9, kept: 20 })
  })

  test('gives the accuracy that it would have had, whatever the marks', () => {
    const pair = fc.record({ confidence: fc.double({ min: 0, max: 1, noNaN: true }), right: fc.boolean() })
    fc.assert(
      fc.property(fc.array(pair, { minLength: 20, maxLength: 80 }), all => {
        const found = suggestSure(all, 0.8)
        const kept = all.filter(({ confidence }) => confidence >= (found?.sure ?? 2))
        expect([kept.length, kept.filter(({ right }) => right).length]).toEqual([found?.kept, found?.right])
        const lower = all.filter(({ confidence }) => confidence < (found?.sure ?? 2))
        // Nothing below would do as well.
        for (const { confidence } of found?.enough ? lower : []) {
          const with_ = all.filter(each => each.confidence >= hundredths(confidence))
          const right = with_.filter(each => each.right).length
          expect((wilson(right, with_.length)?.low ?? 0) < 0.8).toBe(true)
        }
      }),
    )
  })
})

const file = (ai: string, rest = '') => `
contract: workflow.v1
name: Yard
when: { button: {} }
then:
  - ai: { mode: look, prompt: Who?, input: event, decision: [a, b], a: [ log: hello ], b: [], unsure: [] ${ai} }
${rest}`

function read(yaml: string): Workflow {
  const { workflow, problems } = parse(yaml)
  if (!workflow) throw new Error(JSON.stringify(problems))
  return workflow
}

test('what decides in an AI step is the same however it is written, placed or followed', () => {
  const judge = (ai: string, rest?: string) => judgesOf(read(file(ai, rest)))[0]?.judge
  const one = judge('')
  expect(one).toMatch(/^[0-9a-f]{16}$/)
  expect(judge(', limits: { seconds: 3 }', '  - log: more')).toBe(one)
  expect(
    judgesOf(read(file('').replace('- ai', '- log: first\n  - ai').replace('log: hello', 'log: bye')))[0],
  ).toEqual({ path: 'then[1]', name: null, judge: one })
  expect(judge(', sure: 0.8')).not.toBe(one)
  expect(judgesOf(read(file('').replace('Who?', 'What?')))[0]?.judge).not.toBe(one)
})

test.each([
  ['', '', 'only its writing'],
  [', sure: 0.8', '', 'then[0]: ai sure'],
  ['', '  - log: more', 'then[1]: log added'],
  [', sure: 0.8', 'limits: { cooldown: 5m }', 'limits; then[0]: ai sure'],
])('what changed is said in one line (%s %s)', (ai, rest, said) => {
  expect(changesBetween(read(file('')), read(file(ai, rest)))).toBe(said)
})

test('a long list of changes ends in how many more there are', () => {
  const many = Array.from({ length: 7 }, (_, i) => `  - log: l${i}`).join('\n')
  expect(changesBetween(read(file('')), read(file('', many)))).toMatch(
    /^then\[1\]: log added; .*; and 3 more$/,
  )
  expect(changesBetween(read(file('', many)), read(file('')))).toContain('then[1]: log removed')
})
