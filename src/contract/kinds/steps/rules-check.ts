/** Rules of an `ai` step: they name decisions and fields that exist, with matchers that can match. */
import { foldText } from '../../identity.ts'
import type { Finding } from '../../kind.ts'
import { nearest } from '../../nearest.ts'
import type { Json } from '../../types.ts'
import type { AiParams } from './ai.ts'
import { type FieldType, fieldType } from './fields.ts'

type Found = (finding: Finding) => void
type Rule = NonNullable<AiParams['rules']>[number]
type At = readonly (string | number)[]

export function checkRules(it: AiParams, found: Found): void {
  const rules = it.rules ?? []
  const decisions = [...it.decision, 'unsure']
  rules.forEach((rule, index) => {
    if (!decisions.includes(rule.then)) {
      found({
        at: ['rules', index, 'then'],
        code: 'unknown_decision',
        ...unknown(rule.then, decisions, 'no decision of this step'),
      })
    }
    for (const [field, matcher] of Object.entries(rule.when ?? {})) {
      checkMatch(it, field, matcher, ['rules', index, 'when', field], found)
    }
    const before = rules.slice(0, index).findIndex(earlier => covers(earlier, rule))
    if (before >= 0) {
      found({
        severity: 'warning',
        at: ['rules', index],
        code: 'unreachable_rule',
        message: `Rule ${before + 1} matches first whenever this one would: move this one up or leave it out.`,
      })
    }
  })
  if (it.rules) {
    it.decision.forEach((decision, index) => {
      if (rules.some(rule => rule.then === decision)) return
      found({
        severity: 'warning',
        at: ['decision', index],
        code: 'decision_never_chosen',
        message: `No rule leads to ${decision}: add one, or leave the decision out.`,
      })
    })
  }
}

function checkMatch(it: AiParams, name: string, matcher: Json, at: At, found: Found): void {
  const fields = it.fields ?? {}
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (field === undefined) {
    found({
      at,
      key: true,
      code: 'unknown_field',
      ...unknown(name, Object.keys(fields), 'no field of this step'),
    })
    return
  }
  const type = fieldType(field)
  const illegal = (message: string, deeper: At = [], replace?: string) =>
    found({
      at: [...at, ...deeper],
      code: 'matcher_mismatch',
      message,
      ...(replace === undefined ? {} : { replace }),
    })
  const each = (value: Json, deeper: At) => {
    if (!Array.isArray(value)) return checkOperand(name, type, value, deeper, illegal)
    for (const [index, one] of value.entries()) checkOperand(name, type, one, [...deeper, index], illegal)
  }
  if (matcher === null || typeof matcher !== 'object' || Array.isArray(matcher)) {
    each(matcher, [])
    return
  }
  for (const [operator, operand] of Object.entries(matcher)) {
    if (operator === 'is_not') each(operand, [operator])
    else if (operator === 'contains_any') {
      if (type.type !== 'text')
        illegal(`${name} is no free text: match it with a value or a list.`, [operator])
    } else if (type.type !== 'number') {
      illegal(`${name} is no number: match it with a value or a list.`, [operator])
    }
  }
}

function checkOperand(
  name: string,
  type: FieldType,
  operand: Json,
  deeper: At,
  illegal: (message: string, deeper: At, replace?: string) => void,
): void {
  if (type.type === 'number') {
    if (typeof operand !== 'number') illegal(`${name} is a number: match it with a number.`, deeper)
  } else if (type.type === 'yes_no') {
    if (typeof operand === 'boolean')
      illegal(`${name} is matched with yes or no.`, deeper, operand ? 'yes' : 'no')
    else if (operand !== 'yes' && operand !== 'no') illegal(`${name} is matched with yes or no.`, deeper)
  } else if (typeof operand !== 'string') {
    illegal(`${name} is text: put the value in quotes.`, deeper, JSON.stringify(String(operand)))
  } else if (
    type.type === 'options' &&
    !type.options.some(option => foldText(option) === foldText(operand))
  ) {
    const { message, replace } = unknown(operand, type.options, `no option of ${name}`)
    illegal(message, deeper, replace)
  }
}

const unknown = (
  value: string,
  known: readonly string[],
  what: string,
): { message: string; replace?: string } => {
  const near = nearest(value, known)
  const rest = known.length > 0 ? `use one of ${known.join(', ')}` : 'declare it first'
  return {
    message: `${value} is ${what}: ${rest}.${near ? ` Did you mean ${near}?` : ''}`,
    ...(near && /^[a-z][a-z0-9_-]*$/.test(near) ? { replace: near } : {}),
  }
}

/** Whether the earlier rule matches whatever the later one does. */
function covers(earlier: Rule, later: Rule): boolean {
  const then = later.when ?? {}
  return Object.entries(earlier.when ?? {}).every(
    ([field, matcher]) => Object.hasOwn(then, field) && accepts(matcher, then[field] as Json),
  )
}

/** Whether the wider matcher surely accepts all that the narrower one does; false where it is not plain. */
function accepts(wider: Json, narrower: Json): boolean {
  if (JSON.stringify(wider) === JSON.stringify(narrower)) return true
  const [all, some] = [choices(wider), choices(narrower)]
  if (!all || !some) return false
  return some.every(one => all.includes(one))
}

const choices = (matcher: Json): string[] | null => {
  if (Array.isArray(matcher)) return matcher.map(one => foldText(String(one)))
  return matcher !== null && typeof matcher === 'object' ? null : [foldText(String(matcher))]
}
