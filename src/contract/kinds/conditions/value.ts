import { type Static, Type } from '@sinclair/typebox'
import { condition } from '../../kind.ts'
import { closed, oneOf, scalars, texts } from '../params.ts'

const operand = Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean()], {
  expects: 'text, a number, true or false',
})

const params = closed({
  of: Type.String({
    pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,63}(\\.[A-Za-z_][A-Za-z0-9_-]{0,63})?$',
    expects: "a value's name without braces, such as plate",
    description: 'The value that is looked at.',
  }),
  is: Type.Optional(operand),
  in: Type.Optional(scalars),
  at_least: Type.Optional(Type.Number({ expects: 'a number' })),
  at_most: Type.Optional(Type.Number({ expects: 'a number' })),
  contains_any: Type.Optional(texts('Texts of which one must occur.', 256)),
  is_not: Type.Optional(operand),
  present: Type.Optional(oneOf(['yes', 'no'], 'Whether the value is there at all.')),
})

type Test = Exclude<keyof Static<typeof params>, 'of'>
const tests: readonly Test[] = ['is', 'in', 'at_least', 'at_most', 'contains_any', 'is_not', 'present']

export const value = condition({
  kind: 'value',
  description: 'A value of the run is, contains or reaches something.',
  params,
  check: (it, found) => {
    const used = tests.filter(test => it[test] !== undefined)
    if (used.length === 1) return
    found({
      at: [],
      code: 'value_one_test',
      message: `A value condition has exactly one of ${tests.join(', ')}.`,
    })
  },
})
