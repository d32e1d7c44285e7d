import { matches } from '../contract/index.ts'
import type { DecisionRule, FieldValue } from './types.ts'

/** A field as the rules read it: its value and how sure the measurement is (null: no measurement behind it). */
export interface Filled {
  value: FieldValue
  confidence: number | null
}

export type RuleOutcome =
  | { kind: 'fired'; rule: number; then: string; confidence: number | null }
  | { kind: 'no_rule' }
  /** The first rule that could decide reads a field that nobody could fill. */
  | { kind: 'unfilled'; rule: number; field: string }

/**
 * First match wins. The confidence is that of everything the answer rests on: a rule that fired is as sure as its
 * least sure field, a rule that was passed over as sure as the surest field that ruled it out, and the answer as the
 * least sure of these. Null where no measurement took part.
 */
export function decide(rules: readonly DecisionRule[], fields: ReadonlyMap<string, Filled>): RuleOutcome {
  let confidence: number | null = null
  for (const [index, rule] of rules.entries()) {
    const read = Object.entries(rule.when ?? {}).map(([name, matcher]) => ({
      name,
      matcher,
      field: fields.get(name),
    }))
    const failing = read.filter(({ field, matcher }) => field && !matches(matcher, field.value))
    if (failing.length) {
      confidence = least(confidence, surest(failing.map(({ field }) => field?.confidence ?? null)))
      continue
    }
    const unfilled = read.find(({ field }) => !field)
    if (unfilled) return { kind: 'unfilled', rule: index, field: unfilled.name }
    for (const { field } of read) confidence = least(confidence, field?.confidence ?? null)
    return { kind: 'fired', rule: index, then: rule.then, confidence }
  }
  return { kind: 'no_rule' }
}

function least(a: number | null, b: number | null): number | null {
  if (a === null) return b
  return b === null ? a : Math.min(a, b)
}

function surest(values: readonly (number | null)[]): number | null {
  const known = values.filter(value => value !== null)
  return known.length ? Math.max(...known) : null
}
