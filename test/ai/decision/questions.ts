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

/** `ascii`: of options that a model may write byte by byte and not get a letter wrong. */
export function questionsWith(how: { ascii: boolean }): fc.Arbitrary<Question> {
  const unit = how.ascii ? 'grapheme-ascii' : 'grapheme'
  const option = fc
    .oneof(fc.constantFrom(...odd), fc.string({ unit, minLength: 1, maxLength: 64 }))
    .filter(each => !how.ascii || /^[ -~]+$/.test(each))
  const list = (most: number) => fc.uniqueArray(option, { minLength: 1, maxLength: most })
  const options = list(8).filter(all => !all.includes('unsure'))
  const asked: fc.Arbitrary<AskedSpec> = fc.oneof(
    list(8).map(ask => ({ ask })),
    types.map(ask => ({ ask })),
  )
  return fc.record({
    fields: fc.dictionary(name, asked, { maxKeys: 5, noNullPrototype: true }),
    options: fc.option(options),
    selfReported: fc.boolean(),
  })
}

const types = fc.constantFrom('text' as const, 'long_text' as const, 'number' as const, 'yes_no' as const)
const name = fc
  .stringMatching(/^[a-z][a-z0-9_-]{0,11}$/)
  .filter(each => !['reason', 'decision', 'self_reported'].includes(each))
