/** Which conditions can guard a move: identities that nobody but the site and plain devices decide. */
import { conditions } from '../kinds/index.ts'
import { placeholdersIn } from '../placeholders.ts'
import { walkCondition } from '../tree.ts'
import type { Condition, Json, Workflow } from '../types.ts'
import { resolve, type Scope } from '../values/index.ts'

/** The conditions of a list (all must hold) that guard by themselves, conditions inside `all` one by one. */
export function guardsAmong(list: readonly Condition[], scope: Scope): Condition[] {
  return list.flatMap(condition =>
    condition.kind === 'all'
      ? guardsAmong(condition.params as Condition[], scope)
      : guards(condition, scope)
        ? [condition]
        : [],
  )
}

/** Whether an identity remains with every condition on an AI-produced value taken as true. */
function guards(condition: Condition, scope: Scope): boolean {
  switch (condition.kind) {
    case 'in_list': {
      const reference = onlyPlaceholder((condition.params as { value: string }).value)
      return reference !== null && isIdentity(reference, scope)
    }
    case 'value': {
      const { of, is, in: among } = condition.params as { of: string; is?: Json; in?: Json[] }
      const operands = is === undefined ? among : [is]
      if (operands === undefined || operands.length === 0 || !isIdentity(of, scope)) return false
      // An access system says `allow`; whatever else it says, now or in a later version, is not a yes.
      if (isAccessDecision(of, scope)) return operands.every(operand => operand === 'allow')
      return operands.every(
        operand => typeof operand === 'string' && operand.trim() !== '' && isLiteral(operand),
      )
    }
    case 'all':
      return guardsAmong(condition.params as Condition[], scope).length > 0
    case 'any': {
      const branches = condition.params as Condition[]
      return branches.length > 0 && branches.every(branch => guards(branch, scope))
    }
    default:
      return false
  }
}

/** Why a list of conditions is no guard, for the message: it compares an identity, but one that AI may have made. */
export function comparesUnclean(list: readonly Condition[], scope: Scope): boolean {
  let found = false
  for (const condition of list) {
    walkCondition(condition, '', inner => {
      const reference = comparedIn(inner)
      if (reference === null) return
      const resolved = resolve(scope, reference)
      if (resolved.ok !== true || !resolved.clean) found = true
    })
  }
  return found
}

function comparedIn(condition: Condition): string | null {
  if (condition.kind === 'value') return (condition.params as { of: string }).of
  if (condition.kind !== 'in_list') return null
  const { value } = condition.params as { value: string }
  return placeholdersIn(value)[0] ?? null
}

/** Whether reading a condition asks AI or waits for what AI says. */
export function asksAi(condition: Condition): boolean {
  let found = false
  walkCondition(condition, '', inner => {
    if (conditions[inner.kind].aiPoint) found = true
  })
  return found
}

/** A trigger's `where`, as the conditions that it stands for: only plain values and lists of them. */
export function whereAsConditions(workflow: Workflow): Condition[] {
  const where = workflow.when.params.where
  if (workflow.when.kind !== 'event' || where === null || typeof where !== 'object' || Array.isArray(where))
    return []
  return Object.entries(where).flatMap(([field, operand]): Condition[] => {
    const of = `trigger.${field}`
    if (Array.isArray(operand)) return [{ kind: 'value', params: { of, in: operand } }]
    return typeof operand === 'string' ? [{ kind: 'value', params: { of, is: operand } }] : []
  })
}

function isIdentity(reference: string, scope: Scope): boolean {
  const resolved = resolve(scope, reference)
  return resolved.ok === true && resolved.clean && resolved.identity
}

/** The `decision` of an access system's event: the one trigger value of that name that is an identity. */
function isAccessDecision(reference: string, scope: Scope): boolean {
  const resolved = resolve(scope, reference)
  return (
    resolved.ok === true && resolved.givers.some(giver => giver.from === 'when' && giver.name === 'decision')
  )
}

/** The reference of a text that is one placeholder and nothing else. */
function onlyPlaceholder(text: string): string | null {
  const [only] = placeholdersIn(text)
  return only !== undefined && text.trim() === `{${only}}` ? only : null
}

function isLiteral(text: string): boolean {
  return placeholdersIn(text).length === 0
}
