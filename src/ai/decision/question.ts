import type { AskedSpec, DecisionSpec } from '../types.ts'

/** Longest answers, in characters (code points). */
export const LONGEST = { text: 120, long_text: 1500, reason: 200 } as const
/** Of a number: digits before and behind the point. */
export const DIGITS = { before: 9, behind: 4 } as const
/** The value by which a model says that it cannot tell: of a field (where it is no option of it) and of the decision. */
export const UNSURE = 'unsure'
/** Key of the number that a model says of itself. Kept for study; nothing is decided by it. */
export const SELF_REPORTED = 'self_reported'

/** What a model is asked for: an object with these fields in this order, then the reason, last the decision. */
export interface Question {
  /** Not those that are measured, and not those that somebody filled. */
  fields: { readonly [name: string]: AskedSpec }
  /** The decisions, without `unsure`; null: rules decide, only fields and reason are asked. */
  options: readonly string[] | null
  /** Ask how sure it thinks it is, 0 to 1. */
  selfReported: boolean
}

/** The values that an answer to a field may have where they are listed; null: it is free. */
export function valuesOf({ ask }: AskedSpec): readonly string[] | null {
  const values = ask === 'yes_no' ? ['yes', 'no'] : typeof ask === 'string' ? null : ask
  return values && (values.includes(UNSURE) ? values : [...values, UNSURE])
}

/**
 * What is left to ask a model: the asked fields that are not among `filled`, and the decision where no rules make it.
 * Null: nothing.
 */
export function questionOf(
  { fields, options, rules }: Pick<DecisionSpec, 'fields' | 'options' | 'rules'>,
  filled: { has(field: string): boolean },
  selfReported = false,
): Question | null {
  const asked = Object.entries(fields).flatMap(([name, field]): [string, AskedSpec][] =>
    'ask' in field && !filled.has(name) ? [[name, field]] : [],
  )
  if (rules && !asked.length) return null
  return {
    fields: Object.fromEntries(asked),
    options: rules ? null : options,
    selfReported: selfReported && !Object.hasOwn(fields, SELF_REPORTED),
  }
}

/** Where rules decide: the first asked field with listed values that one of them reads. How sure that is can be weighed. */
export function weighedField(rules: DecisionSpec['rules'], { fields }: Question): string | undefined {
  const read = (rules ?? []).flatMap(({ when = {} }) => Object.keys(when))
  return read.find(name => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    return field !== undefined && valuesOf(field) !== null
  })
}

/** Tokens that any answer to it fits into, even one that takes a token for each character. */
export function maxTokensOf({ fields, options }: Question): number {
  const lengths = Object.entries(fields).map(([name, field]) => name.length + 8 + longestOf(field))
  const decision = Math.max(0, ...(options ?? []).map(option => JSON.stringify(option).length))
  return 80 + LONGEST.reason + decision + lengths.reduce((sum, length) => sum + length, 0)
}

function longestOf(field: AskedSpec): number {
  const values = valuesOf(field)
  if (values) return Math.max(...values.map(value => JSON.stringify(value).length))
  return field.ask === 'text' || field.ask === 'long_text' ? LONGEST[field.ask] : 16
}
