/** What is known about safety at each step: which guard holds there, and what has ended the others. */
import { parseDuration } from '../duration.ts'
import { flowKind, triggers } from '../kinds/index.ts'
import { conditionsOf, nodePath, walk, walkCondition } from '../tree.ts'
import type { Condition, NodePath, SiteView, Step, Workflow } from '../types.ts'
import { type Giver, resolve, type Scope, type Scopes, scopesOf } from '../values/index.ts'
import { asksAi, comparesUnclean, guardsAmong, whereAsConditions } from './guards.ts'

/** A guard holds through this much waiting, in ms; later the world has moved on. */
export const guardLasts = 15 * 60_000

/** Why a move may happen at a step, as the engine checks it again at run time. `waited` is the longest, in ms. */
export type GuardFact =
  /** The explicit reply of an identified person to the `ask_person` at `from`. */
  | { kind: 'reply'; from: NodePath; reply: string; waited: number }
  /** These conditions, at the `if` step at `from` (`when`: of the file itself), hold. */
  | { kind: 'identity'; from: NodePath; conditions: Condition[]; waited: number }
  /** The trigger is itself the authority, and no AI came before. */
  | { kind: 'authority'; from: 'when'; waited: number }

/** Why no guard holds: also the code of the problem. */
export type Unguarded =
  | 'move_unguarded'
  | 'move_tainted'
  | 'move_after_ai'
  | 'move_after_branch'
  | 'guard_not_identity'
  | 'guard_not_clean'
  | 'guard_expired'
  | 'else_moves'
  | 'default_moves'
  | 'no_answer_moves'
  | 'always_moves'

export interface State {
  guard: Exclude<GuardFact, { kind: 'authority' }> | null
  authority: Extract<GuardFact, { kind: 'authority' }> | null
  why: Unguarded
}

/** The states of a file by the path of a step. `tainted`: this run came from AI, whatever the file says. */
export function statesOf(workflow: Workflow, site?: SiteView, tainted = false): ReadonlyMap<NodePath, State> {
  const states = new Map<NodePath, State>()
  const scopes = tainted ? taintedScopes(scopesOf(workflow, site)) : scopesOf(workflow, site)
  let asked = false
  walk(workflow, ({ step, path }) => {
    asked ||=
      flowKind(step.kind)?.aiPoint === true || conditionsOf(step, path).some(each => asksAi(each.condition))
  })
  const facts = { scopes, asked }
  const walker = { facts, put: (path: NodePath, state: State) => states.set(path, state) }
  const start = startOf(workflow, scopes, tainted, site)
  flow(workflow.then, '', 'then', start, walker)
  const end = passed(start, summary(workflow.then, facts, '', 'then'))
  flow(workflow.always, '', 'always', { ...end, guard: null, why: 'always_moves' }, walker)
  return states
}

/** The guard that holds, or why none does. */
export function holding(state: State): GuardFact | Unguarded {
  const fact = [state.guard, state.authority].find(guard => guard !== null && guard.waited <= guardLasts)
  if (fact) return fact
  return state.guard || state.authority ? 'guard_expired' : state.why
}

/** A run that AI led to: of its trigger only the camera's role is still clean. */
function taintedScopes(scopes: Scopes): Scopes {
  const soil = (giver: Giver): Giver =>
    giver.from === 'when' && !giver.name.startsWith('camera')
      ? { ...giver, given: { ...giver.given, clean: false } }
      : giver
  const soiled = ({ givers, open }: Scope): Scope => ({
    givers: givers.map(soil),
    open: open && { ...open, clean: false },
  })
  return new Map([...scopes].map(([path, scope]) => [path, soiled(scope)]))
}

function startOf(workflow: Workflow, scopes: Scopes, taintedRun: boolean, site?: SiteView): State {
  const { kind, params } = workflow.when
  const tainted = taintedRun || triggers[kind].tainted(params, site)
  const scope = scopeAt(scopes, 'when')
  const asked = workflow.if.some(asksAi)
  const authority = !tainted && !asked && triggers[kind].authority(params, site)
  // Reading text in a picture ends a guard of `where`, but not one of the same list of conditions.
  const conditions = [
    ...(asked ? [] : guardsAmong(whereAsConditions(workflow), scope)),
    ...guardsAmong(workflow.if, scope),
  ]
  return {
    guard: conditions.length > 0 ? { kind: 'identity', from: 'when', conditions, waited: 0 } : null,
    authority: authority ? { kind: 'authority', from: 'when', waited: 0 } : null,
    why: asked ? 'move_after_ai' : tainted ? 'move_tainted' : weakness(workflow.if, scope, 'move_unguarded'),
  }
}

function weakness(conditions: readonly Condition[], scope: Scope, otherwise: Unguarded): Unguarded {
  if (conditions.length === 0) return otherwise
  return conditions.some(asksAi) || comparesUnclean(conditions, scope)
    ? 'guard_not_clean'
    : 'guard_not_identity'
}

/** What is known of the whole file while its paths are walked. */
interface Facts {
  scopes: Scopes
  /** Whether AI speaks anywhere in the file. */
  asked: boolean
}

interface Walker {
  facts: Facts
  put(path: NodePath, state: State): void
}

function flow(
  steps: readonly Step[],
  parent: NodePath,
  outcome: string,
  before: State,
  walker: Walker,
): void {
  let now = before
  steps.forEach((step, index) => {
    const path = nodePath(parent, outcome, index)
    walker.put(path, now)
    for (const [name, inner] of Object.entries(step.paths)) {
      flow(inner, path, name, enter(step, path, name, now, walker.facts), walker)
    }
    const whole = summaryOf(step, path, walker.facts)
    const next = passed(now, whole)
    const branched = Object.keys(step.paths).length > 0 && !whole.ai && !now.guard && !now.authority
    now = branched ? { ...next, why: 'move_after_branch' } : next
  })
}

/** The state with which the steps of one outcome begin. */
function enter(step: Step, path: NodePath, outcome: string, before: State, facts: Facts): State {
  const state = passed(before, { ai: isAiPoint(step, path, facts), waits: waitsOf(step) })
  switch (step.kind) {
    case 'if': {
      const conditions = step.params as Condition[]
      const scope = scopeAt(facts.scopes, path)
      if (outcome !== 'then') return { ...state, why: 'else_moves' }
      const found = guardsAmong(conditions, scope)
      if (found.length > 0)
        return { ...state, guard: { kind: 'identity', from: path, conditions: found, waited: 0 } }
      return { ...state, why: weakness(conditions, scope, state.why) }
    }
    case 'ask_person': {
      const { default: standard } = step.params as { default?: string }
      // Nobody may have said these: they end what held before as well.
      if (outcome === 'no_answer') return { ...state, guard: null, why: 'no_answer_moves' }
      if (outcome === standard) return { ...state, guard: null, why: 'default_moves' }
      return { ...state, guard: { kind: 'reply', from: path, reply: outcome, waited: 0 } }
    }
    case 'for_each': {
      const earlier = roundsOf(step) - 1
      const round = summary(step.paths.do ?? [], facts, path, 'do')
      return earlier > 0 ? passed(state, { ai: round.ai, waits: round.waits * earlier }) : state
    }
    default:
      return state
  }
}

/** What passing something costs: does AI speak in it, and how long may it wait (ms, the longest way)? */
interface Summary {
  ai: boolean
  waits: number
}

function passed(state: State, { ai, waits }: Summary): State {
  if (ai) return { guard: null, authority: null, why: 'move_after_ai' }
  if (waits === 0) return state
  return {
    ...state,
    guard: state.guard && { ...state.guard, waited: state.guard.waited + waits },
    authority: state.authority && { ...state.authority, waited: state.authority.waited + waits },
  }
}

function summary(steps: readonly Step[], facts: Facts, parent: NodePath, outcome: string): Summary {
  return steps
    .map((step, i) => summaryOf(step, nodePath(parent, outcome, i), facts))
    .reduce((sum, each) => ({ ai: sum.ai || each.ai, waits: sum.waits + each.waits }), {
      ai: false,
      waits: 0,
    })
}

function summaryOf(step: Step, path: NodePath, facts: Facts): Summary {
  const paths = Object.entries(step.paths).map(([name, inner]) => summary(inner, facts, path, name))
  const longest = Math.max(0, ...paths.map(each => each.waits))
  return {
    ai: isAiPoint(step, path, facts) || paths.some(each => each.ai),
    waits: waitsOf(step) + longest * (step.kind === 'for_each' ? roundsOf(step) : 1),
  }
}

/** An `ai` step, a `call`, and whatever reads a picture or waits or goes round over what AI said. */
function isAiPoint(step: Step, path: NodePath, facts: Facts): boolean {
  if (flowKind(step.kind)?.aiPoint) return true
  if (step.kind === 'for_each') return 'events' in (step.params as object) || collected(step, path, facts)
  const conditions = conditionsOf(step, path).map(each => each.condition)
  if (conditions.some(asksAi)) return true
  if (step.kind !== 'wait_for') return false
  return (
    comparesUnclean(conditions, scopeAt(facts.scopes, path)) || (facts.asked && conditions.some(readsSteps))
  )
}

/** Whether a condition asks how a step went: in a file that asks AI, that may hang on what AI said. */
function readsSteps(condition: Condition): boolean {
  let found = false
  walkCondition(condition, '', ({ kind }) => {
    if (kind === 'step_succeeded') found = true
  })
  return found
}

/** Whether a loop goes over a value of the run that is not clean, under whatever name. */
function collected(step: Step, path: NodePath, facts: Facts): boolean {
  const { list } = step.params as { list?: string }
  const resolved = list === undefined ? null : resolve(scopeAt(facts.scopes, path), list)
  return resolved?.ok === true && !resolved.clean
}

/** How long a step itself may wait, in ms. */
function waitsOf(step: Step): number {
  if (step.kind === 'wait') return parseDuration(step.params as string) ?? 0
  if (step.kind !== 'ask_person' && step.kind !== 'wait_for' && step.kind !== 'call') return 0
  return parseDuration((step.params as { timeout: string }).timeout) ?? 0
}

function roundsOf(step: Step): number {
  return (step.params as { max?: number }).max ?? 20
}

function scopeAt(scopes: Scopes, path: NodePath): Scope {
  return scopes.get(path) ?? { givers: [], open: null }
}
