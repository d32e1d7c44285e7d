import { describe, expect, test } from 'vitest'
import { compare, markdownOf, pageOf, readReport, reportOf } from '../../../src/ai/eval/index.ts'
import { facts, result } from './results.ts'

const forty = (right: number) =>
  Array.from({ length: 40 }, (_, i) => result({ id: `case-${i}`, right: i < right }))

describe('a report', () => {
  test('judges the gates where a model answered all of the program’s own cases', () => {
    expect(reportOf(facts(), forty(37), []).gates).toMatchObject([{ suite: 'investigate', passed: true }])
    expect(reportOf(facts(), forty(36), []).gates).toMatchObject([{ suite: 'investigate', passed: false }])
  })
  test.each([
    ['recorded answers', facts({ mode: 'fixtures' }), []],
    ['no model', facts({ model: null }), []],
    ['other cases', facts({ cases: { ...facts().cases, own: false } }), []],
    ['one split', facts({ cases: { ...facts().cases, splits: ['held_out'] } }), []],
    ['not all of them', facts(), [{ id: 'x', suite: 'investigate' as const, why: 'no picture' }]],
  ])('judges none by %s', (_, about, leftOut) => {
    expect(reportOf(about, forty(40), leftOut).gates).toEqual([])
  })
  test('counts no right guess for a gate, and says which it was', () => {
    const tools = { needed: ['site_lookup'], missing: ['site_lookup'], called: [] }
    const guessed = forty(40).map((each, i) => (i < 4 ? { ...each, tools } : each))
    const report = reportOf(facts(), guessed, [])
    expect(report.gates).toMatchObject([{ passed: false, score: { right: 36, cases: 40 } }])
    expect(report.summaries[0]).toMatchObject({ right: 40 })
    for (const shown of [markdownOf(report, null), pageOf(report, null)]) {
      expect(shown.replaceAll('\\', '')).toContain('right by a guess: site_lookup was not called')
      expect(shown).not.toContain('Nothing.')
    }
  })
  test('says who else was asked about pictures', () => {
    expect(markdownOf(reportOf(facts({ vision: 'Tiny-VLM' }), [], []), null)).toContain(
      '| asked about pictures | Tiny-VLM |',
    )
    expect(markdownOf(reportOf(facts(), [], []), null)).not.toContain('asked about pictures')
  })
  test('says in its title what was judged', () => {
    expect(reportOf(facts(), [], []).title).toBe('some-4b on cpu-x64-4core-8gb')
    expect(reportOf(facts({ model: null, eyes: 'nanodet' }), [], []).title).toContain(
      'nanodet, without a language model',
    )
    const fixtures = reportOf(facts({ mode: 'fixtures' }), forty(40), [])
    expect(fixtures.title).toMatch(/^Fixtures/)
    for (const text of [markdownOf(fixtures, null), pageOf(fixtures, null)]) {
      expect(text).toContain('Fixtures: recorded answers, which say nothing of any model')
      expect(text).not.toContain('some-4b on')
    }
  })

  const hostile = '<img src=x onerror=alert(1)>|`*\n# big \u202e'
  const wild = reportOf(
    facts({ model: { name: hostile, hash: null, backend: 'server', sees: false } }),
    [result({ right: false, wrong: [hostile], confidence: 0.4, source: 'likelihood', place: hostile })],
    [{ id: hostile, suite: 'look', why: hostile }],
  )
  test('lets nothing of cases and models become a part of the page', () => {
    const page = pageOf(wild, compare(wild, wild))
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(page).not.toMatch(/<img|<script|\u202e/)
    expect(page).toContain("default-src 'none'")
    expect(page).toContain('<svg')
  })
  test('lets nothing of cases and models break out of a cell of the Markdown', () => {
    const lines = markdownOf(wild, null).split('\n')
    expect(lines.filter(line => line.startsWith('#'))).not.toContain('# big')
    const rows = lines.filter(line => line.includes('onerror') && line.startsWith('|'))
    expect(rows.length).toBeGreaterThan(1)
    for (const row of rows) expect(row).not.toMatch(/<|[^\\]`|\u202e/)
    const [wrong] = rows.filter(row => row.startsWith('| one |'))
    expect(wrong?.replaceAll('\\|', '').split('|').length).toBe(8)
  })
  test('is read again as it was written, and another file is refused in one line', () => {
    const text = JSON.stringify(reportOf(facts(), forty(3), []))
    expect(readReport(text, 'a.json').results).toHaveLength(40)
    for (const wrong of ['', '[]', '{"report":"gatehouse.eval.v1"}', text.replace('eval.v1', 'eval.v2')])
      expect(() => readReport(wrong, 'a.json')).toThrow('a.json is no report of gatehouse eval')
  })
})

describe('two reports', () => {
  const of = (rights: boolean[], patch = {}) =>
    reportOf(
      facts(patch),
      rights.map((right, i) => result({ id: `case-${i}`, right, got: right ? 'known' : 'unsure' })),
      [],
    )

  test('are held against each other case by case, both ways', () => {
    const found = compare(of([true, true, false, false]), of([true, false, true, false, true]))
    expect(found).toMatchObject({
      shared: 4,
      only_before: 0,
      only_now: 1,
      right_before: 2,
      right_now: 2,
      p: 1,
    })
    expect(found.flips).toEqual([
      { id: 'case-1', suite: 'investigate', right: false, before: 'known', now: 'unsure', expected: 'known' },
      { id: 'case-2', suite: 'investigate', right: true, before: 'unsure', now: 'known', expected: 'known' },
    ])
    expect(found.words).toContain('no difference that chance would not make')
  })
  test('differ by more than chance where enough cases went one way', () => {
    const before = of(Array(8).fill(false))
    expect(compare(before, of(Array(8).fill(true))).words).toMatch(
      /^better than before by more than chance: 8 got right/,
    )
    expect(compare(of(Array(8).fill(true)), before).words).toMatch(/^worse than before/)
    expect(compare(before, of([...Array(5).fill(true), ...Array(3).fill(false)])).more_than_chance).toBe(
      false,
    )
  })
  test('of which one is of recorded answers say nothing of a model', () => {
    const found = compare(of(Array(8).fill(false), { mode: 'fixtures' }), of(Array(8).fill(true)))
    expect(found.words).toContain('nothing follows for a model')
  })
  test('over other cases say so', () => {
    const other = of([true], { cases: { ...facts().cases, fingerprint: 'other' } })
    expect(markdownOf(other, compare(of([true]), other))).toContain('the cases are not the same')
    expect(compare(of([true]), of([true])).same_cases).toBe(true)
  })
})
