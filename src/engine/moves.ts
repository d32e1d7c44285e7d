import {
  actionKind,
  type Condition,
  type Effect,
  type GuardFact,
  guardFacts,
  guardLasts,
  type NodePath,
  placeholdersIn,
} from '../contract/index.ts'
import { holds, type SitePort } from '../kinds/index.ts'
import type { WorkflowRow } from '../store/index.ts'
import { answeredIn, identifies } from './answered.ts'
import { conditionContext, siteView } from './context.ts'
import { isObject } from './json.ts'
import type { Node, Program } from './program.ts'
import type { Run } from './run.ts'
import { EVERYTHING } from './taint.ts'

/** A move later than this after its time is not made any more. */
const LATEST_MS = 60_000

/** What an action does at this site now; what was a move when the run was admitted stays one. */
export function effectOf(run: Run, node: Node, site: SitePort): Effect {
  return run.facts.moves.includes(node.path) ? 'move' : effectAt(run.program, node, site, run.loaded.row.slug)
}

/** The places of a workflow whose actions are moves at this site. */
export function movesAt(program: Program, site: SitePort, slug: string): readonly NodePath[] {
  if (program.moves?.site === site) return program.moves.paths
  const nodes = [...program.byPath.values()]
  const paths = nodes.filter(node => effectAt(program, node, site, slug) === 'move').map(({ path }) => path)
  program.moves = { site, paths }
  return paths
}

function effectAt({ workflow }: Program, { step }: Node, site: SitePort, slug: string): Effect {
  const descriptor = actionKind(step.kind)
  if (!descriptor) return 'read'
  return descriptor.effect(step.params as never, siteView(site, slug), workflow.needs?.destinations)
}

/** Whether a move may be made now; if not, a stable code and one sentence why. */
export type Permit = { ok: true } | { ok: false; code: string; message: string }

/** Whether the guard that the file proves for this step really holds, at this moment, for this run. */
export function guarded(run: Run, node: Node, site: SitePort, mode: string, now: number): Permit {
  return holding(factOf(run, node, site), run, node, site, mode, now)
}

function factOf(run: Run, node: Node, site: SitePort): GuardFact | null {
  const tainted = run.taint.has(EVERYTHING)
  return guardFacts(run.program.workflow, node.path, siteView(site, run.loaded.row.slug), { tainted })
}

function holding(
  fact: GuardFact | null,
  run: Run,
  node: Node,
  site: SitePort,
  mode: string,
  now: number,
): Permit {
  if (!fact) {
    return refused(
      'unguarded',
      'Nothing that guards this move holds in this run: a person would have to be asked.',
    )
  }
  switch (fact.kind) {
    case 'reply':
      return replied(fact, run, node, site, now)
    case 'authority':
      return authority(run)
    case 'identity': {
      const ctx = conditionContext(run, site, mode, now, run.facts.startedAt)
      const held = fact.conditions.every(each => holds(cleanly(each, run), ctx))
      return held
        ? { ok: true }
        : refused('guard_gone', 'The identity that guards this move does not hold any more.')
    }
  }
}

/** Why nothing of this workflow is moved now, in a sentence; null: it is On and runs. */
export function standstill({ name, state, attention }: Pick<WorkflowRow, 'name' | 'state' | 'attention'>) {
  if (state !== 'on') return `${name} is not On any more.`
  return attention === null ? null : `${name} stands still: ${attention}`
}

/** Everything that is asked once more between the intent and the act. */
export function permitted(run: Run, node: Node, site: SitePort, mode: string, now: number): Permit {
  const { row } = run.loaded
  if (run.stopping) return refused('stopped', 'The run was stopped before the move.')
  const why = standstill(row)
  if (why !== null) return refused('not_on', `${why} So nothing was moved.`)
  const fact = factOf(run, node, site)
  // Somebody decided anew: how late the run was by then is not held against their word.
  const asked = fact?.kind === 'reply' ? (answeredIn(run.answers.get(fact.from))?.lateMs ?? 0) : 0
  const before = run.released ? run.lateMs : asked
  const late = run.lateMs - before + Math.max(0, now - run.readyAt)
  if (late > LATEST_MS) {
    const seconds = Math.round(late / 1000)
    return refused(
      'expired',
      `The move was due ${seconds} s earlier and was not made: do it by hand if it is still wanted.`,
    )
  }
  return holding(fact, run, node, site, mode, now)
}

/** The explicit reply of somebody known, lately, who was told of this very move. */
function replied(
  fact: Extract<GuardFact, { kind: 'reply' }>,
  run: Run,
  node: Node,
  site: SitePort,
  now: number,
): Permit {
  const answered = answeredIn(run.answers.get(fact.from))
  if (answered?.answer !== fact.reply) return refused('unguarded', `Nobody answered “${fact.reply}”.`)
  if (!identifies(answered.how, answered.by)) {
    return refused('unidentified', 'Nobody knows who answered: sign in to answer what moves something.')
  }
  if (!(now - answered.at <= guardLasts + LATEST_MS)) {
    return refused('guard_expired', 'The answer is older than 15 minutes: it does not count any more.')
  }
  if (!answered.stated.includes(node.path) && effectOf(run, node, site) === 'move') {
    return refused('not_stated', 'Whoever answered was not told of this move.')
  }
  return { ok: true }
}

/** A press counts only where the box knows who pressed; the other authorities were asked by `guardFacts`. */
function authority(run: Run): Permit {
  const { by } = run.facts.event
  if (run.facts.triggerKind === 'button' && !isObject(by)) {
    return refused(
      'unidentified',
      'Nobody knows who pressed: sign in to press a button that moves something.',
    )
  }
  return { ok: true }
}

/** The condition, with comparisons on values that are not clean in this run counted as not holding. */
function cleanly(condition: Condition, run: Run): Condition {
  const never: Condition = { kind: 'any', params: [] }
  switch (condition.kind) {
    case 'any':
    case 'all':
      return {
        kind: condition.kind,
        params: (condition.params as Condition[]).map(each => cleanly(each, run)),
      }
    case 'value':
      return run.isClean((condition.params as { of: string }).of) ? condition : never
    case 'in_list': {
      const { value } = condition.params as { value: string }
      return placeholdersIn(value).every(name => run.isClean(name)) ? condition : never
    }
    default:
      return condition
  }
}

function refused(code: string, message: string): Permit {
  return { ok: false, code, message }
}
