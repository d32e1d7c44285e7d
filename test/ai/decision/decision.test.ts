import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { grammarOf } from '../../../src/ai/decision/grammar.ts'
import { LONGEST, maxTokensOf, type Question, questionOf } from '../../../src/ai/decision/question.ts'
import { readDecision } from '../../../src/ai/decision/read.ts'
import { schemaOf } from '../../../src/ai/decision/schema.ts'
import { Grammar } from './gbnf.ts'
import { questions } from './questions.ts'
import { fits } from './schema-check.ts'

const gate: Question = {
  fields: {
    company: { ask: ['dhl', 'none'] },
    note: { ask: 'text' },
    people: { ask: 'number' },
    helmet: { ask: 'yes_no' },
  },
  options: ['delivery', 'visitor'],
  selfReported: true,
}
const good = {
  company: 'dhl',
  note: 'two men',
  people: 2,
  helmet: 'no',
  reason: 'a van with parcels',
  self_reported: 0.8,
  decision: 'delivery',
}
const read = (value: unknown) => readDecision(gate, typeof value === 'string' ? value : JSON.stringify(value))
const problemOf = (value: unknown) => {
  const found = read(value)
  return found.ok ? null : found.problem
}

describe('the form of a decision', () => {
  it('has a grammar of which every text fits the schema and is read', () => {
    fc.assert(
      fc.property(questions, fc.boolean(), fc.infiniteStream(fc.nat()), (it, ascii, numbers) => {
        const stream = numbers[Symbol.iterator]()
        const grammar = new Grammar(grammarOf(it, { ascii }))
        const text = grammar.say(below => Number(stream.next().value) % below)
        const value = JSON.parse(text)
        if (ascii) expect(text).toMatch(/^[ -~]+$/)
        expect(fits(schemaOf(it), value), text).toBe(true)
        const found = readDecision(it, text)
        expect(found, text).toMatchObject({ ok: true })
        expect(Object.keys(value)).toEqual([
          ...Object.keys(it.fields),
          'reason',
          ...(it.selfReported ? ['self_reported'] : []),
          ...(it.options ? ['decision'] : []),
        ])
        if (found.ok && it.options) expect([...it.options, 'unsure']).toContain(found.answer.decision)
        expect([...text].length).toBeLessThanOrEqual(2 * maxTokensOf(it))
      }),
      { numRuns: 400 },
    )
  })

  it('reads what fits the schema and nothing else', () => {
    const value = fc.oneof(
      fc.constantFrom(
        'dhl',
        'unsure',
        'yes',
        'no',
        'delivery',
        null,
        true,
        0,
        1,
        1e12,
        [],
        {},
        'x'.repeat(121),
      ),
      fc.string({ maxLength: 5 }),
      fc.double(),
    )
    const any = fc.record(
      Object.fromEntries(
        Object.entries({ ...good, other: 1 }).map(([key, fine]) => [
          key,
          key === 'other'
            ? value
            : fc.oneof({ weight: 9, arbitrary: fc.constant(fine) }, { weight: 1, arbitrary: value }),
        ]),
      ),
      { requiredKeys: Object.keys(good) },
    )
    let refused = 0
    fc.assert(
      fc.property(any, it => {
        const plain = JSON.parse(JSON.stringify(it))
        refused += read(plain).ok ? 0 : 1
        expect(read(plain).ok).toBe(fits(schemaOf(gate), plain))
      }),
      { numRuns: 400 },
    )
    expect(refused).toBeGreaterThan(40)
    expect(refused).toBeLessThan(400)
  })

  it('gives the values of the answer', () => {
    expect(read(good)).toEqual({
      ok: true,
      answer: {
        fields: { company: 'dhl', note: 'two men', people: 2, helmet: false },
        reason: 'a van with parcels',
        decision: 'delivery',
        selfReported: 0.8,
      },
    })
    const blind = {
      ...good,
      company: 'unsure',
      note: ' ',
      people: null,
      helmet: 'unsure',
      decision: 'unsure',
    }
    expect(read(blind)).toMatchObject({
      answer: { fields: { company: null, note: null, people: null, helmet: null }, decision: 'unsure' },
    })
  })

  it('takes “unsure” as an answer of its own where the file lists it', () => {
    const listed: Question = {
      fields: { mood: { ask: ['calm', 'unsure'] } },
      options: null,
      selfReported: false,
    }
    expect(readDecision(listed, '{"mood": "unsure", "reason": ""}')).toMatchObject({
      answer: { fields: { mood: 'unsure' }, decision: null },
    })
    expect(grammarOf(listed).match(/unsure/g)).toHaveLength(1)
  })

  it('forgives a fence and thinking before the answer', () => {
    const text = JSON.stringify(good, null, 2)
    for (const wrapped of [
      `\n\`\`\`json\n${text}\n\`\`\`\n`,
      `<think>\nIs it {"decision": "visitor"}?\n</think>\n\n${text}`,
      `<think></think>\`\`\`\n${text}\n\`\`\``,
    ])
      expect(read(wrapped)).toEqual(read(good))
  })

  it('refuses what was not asked for, and says what was wrong without repeating it', () => {
    const text = JSON.stringify(good)
    expect(problemOf({ ...good, decision: 'open the gate' })).toBe(
      '“decision” is none of delivery, visitor, unsure',
    )
    expect(problemOf({ ...good, company: 'DHL' })).toBe('“company” is none of dhl, none, unsure')
    expect(problemOf({ ...good, helmet: true })).toContain('“helmet”')
    expect(problemOf({ ...good, people: '2' })).toBe('“people” is no number')
    expect(problemOf({ ...good, people: 1e10 })).toContain('greater')
    expect(problemOf({ ...good, self_reported: 80 })).toContain('from 0 to 1')
    expect(problemOf({ ...good, reason: 'x'.repeat(LONGEST.reason + 1) })).toContain('longer than 200')
    expect(problemOf({ ...good, note: 'x'.repeat(LONGEST.text + 1) })).toContain('longer than 120')
    expect(problemOf({ ...good, act: 'open' })).toContain('other keys')
    expect(problemOf({ ...good, note: ['a'] })).toContain('a list or an object')
    expect(problemOf(text.replace('{', '{"decision":"visitor",'))).toBe('a key is there twice')
    expect(problemOf(text.replace('{', '{"\\u0064ecision":"visitor",'))).toBe('a key is there twice')
    expect(problemOf({ ...good, note: 'a":"b' })).toBeNull()
    for (const { 0: key } of Object.entries(good)) {
      const { [key as keyof typeof good]: _, ...less } = good
      expect(problemOf(less)).toBe(`the key “${key}” is missing`)
    }
    const foreign = [
      '',
      'null',
      '[]',
      '"x"',
      'delivery',
      `Sure! ${text}`,
      `${text} Done.`,
      `${text}${text}`,
      text.slice(0, -1),
    ]
    for (const each of [...foreign, '<think>', `${' '.repeat(70_000)}${text}`])
      expect(read(each).ok, each).toBe(false)
    expect(problemOf(text.replace('{', '{"__proto__":1,'))).toContain('other keys')
  })

  it('makes one line of a reason and keeps the lines of a report', () => {
    const report: Question = { fields: { report: { ask: 'long_text' } }, options: null, selfReported: false }
    const text = JSON.stringify({ report: 'all  calm\n\u202eevil\u0007\nend ', reason: 'one\ntwo\u200b' })
    expect(readDecision(report, text)).toMatchObject({
      answer: { fields: { report: 'all calm\nevil\nend' }, reason: 'one two' },
    })
  })
})

describe('what is left to ask', () => {
  const spec = {
    options: ['a', 'b'],
    fields: { seen: { measure: 'present' }, plate: { ask: 'text' }, company: { ask: ['x'] } },
    rules: null,
  } as const satisfies Parameters<typeof questionOf>[0] | object
  const of = (over: object, filled: string[]) =>
    questionOf({ ...spec, options: ['a', 'b'], ...over } as Parameters<typeof questionOf>[0], new Set(filled))

  it('is never what is measured or known', () => {
    expect(of({}, ['plate'])).toEqual({
      fields: { company: { ask: ['x'] } },
      options: ['a', 'b'],
      selfReported: false,
    })
    expect(of({}, ['plate', 'company'])).toMatchObject({ fields: {}, options: ['a', 'b'] })
  })

  it('is the fields alone where rules decide, and nothing where all are known', () => {
    expect(of({ rules: [{ then: 'a' }] }, [])).toMatchObject({ options: null })
    expect(of({ rules: [{ then: 'a' }] }, ['plate', 'company'])).toBeNull()
  })
})
