import { ASCII_CHARACTER, CHARACTER, LINE_CHARACTER, literal, oneOf, quoted } from '../gbnf.ts'
import type { AskedSpec } from '../types.ts'
import { DIGITS, LONGEST, type Question, SELF_REPORTED, UNSURE, valuesOf } from './question.ts'

/**
 * The same as `schemaOf` in GBNF, closer: keys in one order, bounded numbers, characters that people can read. Made of
 * the question alone; whatever stands in an option is a literal of the grammar.
 *
 * `ascii`: other letters by their numbers, so that no letter comes in pieces. The embedded library lets a model that
 * writes byte by byte take any byte for the rest of a letter, a quote too: a sane one does not, but it can.
 */
export function grammarOf({ fields, options, selfReported }: Question, { ascii = false } = {}): string {
  const rules: string[] = []
  const members: string[] = []
  const member = (key: string, rule: string, body: string) => {
    members.push(`${literal(`${JSON.stringify(key)}: `)} ${rule}`)
    rules.push(`${rule} ::= ${body}`)
  }
  Object.entries(fields).forEach(([name, field], index) => {
    member(name, `field-${index}`, fieldRule(field, ascii))
  })
  member('reason', 'reason', quoted('char', LONGEST.reason))
  if (selfReported) member(SELF_REPORTED, 'share', '"0" | "1" | "0." [0-9] [0-9]?')
  if (options) member('decision', 'decision', oneOf([...options, UNSURE], ascii))
  return [
    `root ::= "{" ${members.join(' ", " ')} "}"`,
    ...rules,
    `char ::= ${ascii ? ASCII_CHARACTER : CHARACTER}`,
    `line-char ::= ${LINE_CHARACTER}`,
    '',
  ].join('\n')
}

function fieldRule(field: AskedSpec, ascii: boolean): string {
  const values = valuesOf(field)
  if (values) return oneOf(values, ascii)
  if (field.ask === 'text') return quoted('char', LONGEST.text)
  if (field.ask === 'long_text') return quoted('line-char', LONGEST.long_text)
  const { before, behind } = DIGITS
  return `"null" | "-"? ("0" | [1-9] [0-9]{0,${before - 1}}) ("." [0-9]{1,${behind}})?`
}
