/** Random questions, with whatever an author may write into them. */
import fc from 'fast-check'
import type { Question } from '../../../src/ai/decision/question.ts'
import type { AskedSpec } from '../../../src/ai/index.ts'

const odd = [
  'Let in',
  '“quoted”',
  'a"b',
  'back\\slash',
  '] ::= root',
  'größer',
  '是',
  '🚗',
  '|',
  'yes',
  '{x}',
]

const types = fc.constantFrom('text' as const, 'long_text' as const, 'number' as const, 'yes_no' as const)
const name = fc
  .stringMatching(/^[a-z][a-z0-9_-]{0,11}$/)
  .filter(each => !['reason', 'decision', 'self_reported'].includes(each))
const option = fc.oneof(fc.constantFrom(...odd), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 64 }))
const list = (most: number) => fc.uniqueArray(option, { minLength: 1, maxLength: most })
const asked: fc.Arbitrary<AskedSpec> = fc.oneof(
  list(8).map(ask => ({ ask })),
  types.map(ask => ({ ask })),
)

export const questions: fc.Arbitrary<Question> = fc.record({
  fields: fc.dictionary(name, asked, { maxKeys: 5, noNullPrototype: true }),
  options: fc.option(list(8).filter(all => !all.includes('unsure'))),
  selfReported: fc.boolean(),
})
