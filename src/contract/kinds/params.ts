/** The shapes that parameters of many kinds share. `expects` is how a problem names what should stand there. */
import { type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { DURATION } from '../duration.ts'
import type { Condition, Json } from '../types.ts'

/** A map with these keys and no others. */
export const closed = <T extends TProperties>(properties: T, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description ? { description } : {}) })

export const NAME = '^[a-z][a-z0-9_-]{0,63}$'
export const name = (description: string) =>
  Type.String({
    pattern: NAME,
    expects: 'a name such as gate-2 (a-z first, then a-z, 0-9, - or _)',
    description,
  })
export const names = (description: string) =>
  Type.Array(name('A name.'), { minItems: 1, maxItems: 64, expects: 'a list of names', description })

export const text = (description: string, maxLength = 4000) =>
  Type.String({ minLength: 1, maxLength, expects: `text of 1 to ${maxLength} characters`, description })
export const texts = (description: string, maxItems = 64) =>
  Type.Array(text('Text.', 200), { minItems: 1, maxItems, expects: 'a list of texts', description })

/** `500ms`, `5s`, `2m`, `1h`, `7d`; `parseDuration` reads it. */
export const duration = (description: string) =>
  Type.String({ pattern: DURATION, expects: 'a duration such as 500ms, 5s, 2m, 1h or 7d', description })

export const CLOCK = '^([01][0-9]|2[0-3]):[0-5][0-9]$'
export const clock = (description: string) =>
  Type.String({ pattern: CLOCK, expects: 'a quoted clock time such as "22:00"', description })

export const oneOf = <const T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>(
    Type.Union(
      values.map(value => Type.Literal(value)),
      { description },
    ),
  )

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export const days = Type.Array(oneOf(DAYS, 'A day of the week.'), {
  minItems: 1,
  maxItems: 7,
  expects: 'a list of days out of mon, tue, wed, thu, fri, sat, sun',
  description: 'Days on which it holds; every day where absent.',
})

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const
export const severity = oneOf(SEVERITIES, 'How grave it is.')

/** A camera role, or a placeholder that gives one. */
const ROLE_OR_PLACEHOLDER = '^([a-z][a-z0-9_-]{0,63}|\\{[A-Za-z_][A-Za-z0-9_.-]{0,99}\\})$'
export const camera = (description: string) =>
  Type.String({ pattern: ROLE_OR_PLACEHOLDER, expects: 'a camera role such as gate', description })

const WHO =
  '^(role:([a-z][a-z0-9_-]{0,63}|\\{[A-Za-z_][A-Za-z0-9_.-]{0,99}\\})|person:\\S.{0,99}|\\{[A-Za-z_][A-Za-z0-9_.-]{0,99}\\})$'
const oneWho = Type.String({ pattern: WHO, expects: 'role:<role> or person:<name>' })
export const who = Type.Union([oneWho, Type.Array(oneWho, { minItems: 1, maxItems: 16 })], {
  expects: 'role:<role>, person:<name> or a list of them',
  description: 'Who is told or asked.',
})

export const attach = Type.Array(oneOf(['picture', 'frames', 'clip'], 'What is attached.'), {
  minItems: 1,
  maxItems: 3,
  expects: 'a list out of picture, frames, clip',
  description: 'Pictures or a clip to send along.',
})

const scalar = Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean()], {
  expects: 'text, a number, true or false',
})
export const scalars = Type.Array(scalar, { minItems: 1, maxItems: 256, expects: 'a list of values' })

/** A value, a list of values (any of them), or comparisons that must all hold. */
export const matcher = Type.Union(
  [
    scalar,
    scalars,
    Type.Object(
      {
        at_least: Type.Optional(Type.Number({ expects: 'a number' })),
        at_most: Type.Optional(Type.Number({ expects: 'a number' })),
        contains_any: Type.Optional(texts('Texts of which one must occur.', 256)),
        is_not: Type.Optional(Type.Union([scalar, scalars], { expects: 'a value or a list of values' })),
      },
      { additionalProperties: false, minProperties: 1 },
    ),
  ],
  { expects: 'a value, a list of values, or { at_least | at_most | contains_any | is_not: … }' },
)

/** A map whose keys the author chooses. */
export const mapOf = <T>(value: TSchema, description: string, options: { minProperties?: number } = {}) =>
  Type.Unsafe<Record<string, T>>(
    Type.Object({}, { additionalProperties: value, maxProperties: 64, description, ...options }),
  )

export const json = (description: string) =>
  Type.Unsafe<Json>(Type.Any({ description: `${description} Texts in it may hold placeholders.` }))
export const jsonMap = (description: string) => mapOf<Json>(Type.Any(), description)

/** Conditions stand in parameters as nodes of their own: their kinds check them. */
export const nestedCondition = Type.Unsafe<Condition>(Type.Any({ $ref: '#/$defs/condition' }))
export const nestedConditions = Type.Unsafe<Condition[]>(
  Type.Array(Type.Any({ $ref: '#/$defs/condition' }), {
    minItems: 1,
    maxItems: 64,
    expects: 'a list of conditions',
  }),
)
