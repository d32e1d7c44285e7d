import { matches } from '../contract/index.ts'
import { least, type Sureness, surest } from './sureness.ts'
import type { DecisionRule, FieldValue } from './types.ts'

/** A field as the rules read it: its value and how sure that is. */
export interface Filled extends Sureness {
  value: FieldValue
}

export type RuleOutcome =
  | { kind: 'fired'; rule: number; then: string; sureness: Sureness }
  | { kind: 'no_rule' }
  /** The first rule that could decide reads a field that nobody could fill. */
  | { kind: 'unfilled'; rule: number; field: string }

/**
 * First match wins. The answer is as sure as everything it rests on: a rule that fired is as sure as its least sure
 * field, a rule that was passed over as sure as the surest field that ruled it out, and the answer as the least sure
 * of these.
 */
export function decide(rules: readonly DecisionRule[], fields: ReadonlyMap<string, Filled>): RuleOutcome {
  const rests: Sureness[] = []
  for (const [index, rule] of rules.entries()) {
    const read = Object.entries(rule.when ?? {}).map(([name, matcher]) => ({
      name,
      matcher,
      field: fields.get(name),
    }))
    const failing = read.flatMap(({ field, matcher }) =>
      field && !matches(matcher, field.value) ? [field] : [],
    )
    if (failing.length) {
      rests.push(surest(failing))
      continue
    }
    const unfilled = read.find(({ field }) => !field)
    if (unfilled) return { kind: 'unfilled', rule: index, field: unfilled.name }
    const sureness = least([...rests, ...read.flatMap(({ field }) => field ?? [])])
    return { kind: 'fired', rule: index, then: rule.then, sureness }
  }
  return { kind: 'no_rule' }
}
