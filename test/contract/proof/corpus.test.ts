import { describe, expect, test } from 'vitest'
import { type Problem, parse } from '../../../src/contract/index.ts'
import { type Case, cases } from './corpus.ts'

const check = ({ text, site }: Case, changed = text) => parse(changed, site ? { site } : {})
const errorsOf = (problems: readonly Problem[]) => problems.filter(({ severity }) => severity === 'error')
const placed = ({ code, line, column }: Problem) => `${code} ${line}:${column}`

const refused = cases('refused')
const accepted = cases('accepted')

describe('refused', () => {
  test('there are files for every way', () => {
    expect(refused.length).toBeGreaterThan(120)
    expect(new Set(refused.map(({ expected }) => expected?.split(' ')[0])).size).toBeGreaterThan(15)
  })

  test.each(refused)('$file', each => {
    const { problems, workflow } = check(each)
    expect(errorsOf(problems).map(placed)).toEqual([each.expected])
    expect(workflow).toBeUndefined()
  })

  test.each(
    refused.filter(({ expected }) =>
      /^(move_(?!param)|guard|else|default|no_answer|always|critical)/.test(expected ?? ''),
    ),
  )('the fix of $file mends it', each => {
    const [problem] = errorsOf(check(each).problems)
    if (!problem?.fix) throw new Error('no fix')
    const mended = apply(each.text, problem.fix.edits)
    expect(errorsOf(check(each, mended).problems)).toEqual([])
  })

  test.each(refused.filter(({ expected }) => /^(ambiguous|unknown)/.test(expected ?? '')))(
    'where $file has a fix, it mends it',
    each => {
      const [problem] = errorsOf(check(each).problems)
      if (!problem?.fix) return
      expect(errorsOf(check(each, apply(each.text, problem.fix.edits)).problems)).toEqual([])
    },
  )
})

describe('accepted', () => {
  test.each(accepted)('$file', each => {
    const { problems, workflow } = check(each)
    expect(errorsOf(problems)).toEqual([])
    expect(workflow).toBeDefined()
  })
})

function apply(text: string, edits: readonly { from: number; to: number; insert: string }[]): string {
  return [...edits]
    .sort((a, b) => b.from - a.from)
    .reduce((now, { from, to, insert }) => now.slice(0, from) + insert + now.slice(to), text)
}
