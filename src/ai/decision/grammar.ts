import { CHARACTER, LINE_CHARACTER, literal, oneOf, quoted } from '../gbnf.ts'
import type { AskedSpec } from '../types.ts'
import { DIGITS, LONGEST, type Question, SELF_REPORTED, UNSURE, valuesOf } from './question.ts'

/**
 * The same as `schemaOf` in GBNF, closer: keys in one order, bounded numbers, characters that people can read. Made of
 * the question alone; whatever stands in an option is a literal of the grammar.
 */
export function grammarOf({ fields, options, selfReported }: Question): string {
  const rules: string[] = []
  const members: string[] = []
  const member = (key: string, rule: string, body: string) => {
    members.push(`${literal(`${JSON.stringify(key)}: `)} ${rule}`)
    rules.push(`${rule} ::= ${body}`)
  }
  Object.entries(fields).forEach(([name, field], index) => {
    member(name, `field-${index}`, fieldRule(field))
  })
  member('reason', 'reason', quoted('char', LONGEST.reason))
  if (selfReported) member(SELF_REPORTED, 'share', '"0" | "1" | "0." [0-9] [0-9]?')
  if (options) member('decision', 'decision', oneOf([...options, UNSURE]))
  return [
    `root ::= "{" ${members.join(' ", " ')} "}"`,
    ...rules,
    `char ::= ${CHARACTER}`,
    `line-char ::= ${LINE_CHARACTER}`,
    '',
  ].join('\n')
}

function fieldRule(field: AskedSpec): string {
  const values = valuesOf(field)
  if (values) return oneOf(values)
  if (field.ask === 'text') return quoted('char', LONGEST.text)
  if (field.ask === 'long_text') return quoted('line-char', LONGEST.long_text)
  const { before, behind } = DIGITS
  return `"null" | "-"? ("0" | [1-9] [0-9]{0,${before - 1}}) ("." [0-9]{1,${behind}})?`
}
