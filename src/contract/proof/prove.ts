/**
 * The safety proof: no output of AI can, by itself, decide whether or when something moves.
 *
 * It follows every path of the file with what guards it there (`states.ts`) and asks of each step that moves
 * something, and of each critical alert, which guard holds and whether everything it says is literal or clean.
 */
import type { CheckContext, Report } from '../context.ts'
import { placeholdersIn } from '../placeholders.ts'
import { isTooLarge, mostSteps, paramPath, walk } from '../tree.ts'
import type { Json, NodePath, SiteView, Step, Workflow } from '../types.ts'
import { resolve, type Scope, scopesOf, textsIn } from '../values/index.ts'
import { lowerSeverity, wrapInAsk } from './fix.ts'
import { advice } from './messages.ts'
import { isCritical, movesOf } from './moves.ts'
import { type GuardFact, holding, statesOf, type Unguarded } from './states.ts'

/** Reports each step that AI could make move something, and each parameter of a move that AI could have written. */
export function prove(workflow: Workflow, ctx: CheckContext): void {
  if (isTooLarge(workflow)) {
    reportTooLarge(ctx)
    return
  }
  const scopes = scopesOf(workflow, ctx.site)
  const states = statesOf(workflow, ctx.site)
  const moving = movesOf(workflow, states, ctx.site)
  const guarding = new Set<NodePath>()
  walk(workflow, ({ step, path }) => {
    const state = states.get(path)
    const move = moving.has(path)
    if (!state || !(move || isCritical(step))) return
    const fact = holding(state)
    if (typeof fact === 'string') {
      ctx.report(move ? unguarded(step, path, fact, ctx) : criticalUnguarded(path, fact, ctx))
    } else if (fact.kind === 'reply') guarding.add(fact.from)
    if (move)
      checkParameters(step.params, paramPath(path, step.kind), scopes.get(path), 'move_param_ai', step, ctx)
  })
  walk(workflow, ({ step, path }) => {
    if (!guarding.has(path)) return
    const { who, replies } = step.params as { who: Json; replies: Json }
    const base = paramPath(path, step.kind)
    checkParameters(who, `${base}.who`, scopes.get(path), 'ask_param_ai', step, ctx)
    checkParameters(replies, `${base}.replies`, scopes.get(path), 'ask_param_ai', step, ctx)
  })
}

/**
 * The fact that lets the step at `path` move something, or null: it may not. `tainted`: this very run came from
 * AI (a chain, an alert that is not plain), whatever the file alone says.
 */
export function guardFacts(
  workflow: Workflow,
  path: NodePath,
  site?: SiteView,
  options: { tainted?: boolean } = {},
): GuardFact | null {
  const state = statesOf(workflow, site, options.tainted).get(path)
  const fact = state ? holding(state) : 'move_unguarded'
  return typeof fact === 'string' ? null : fact
}

function reportTooLarge({ report }: CheckContext): void {
  report({
    severity: 'error',
    code: 'too_many_steps',
    path: 'then',
    message: `A file has at most ${mostSteps} steps, all paths together: split it.`,
  })
}

function unguarded(step: Step, path: NodePath, code: Unguarded, ctx: CheckContext): Report {
  const fix = wrapInAsk(path, ctx)
  return {
    severity: 'error',
    code,
    path,
    message: `${step.kind} moves something here, ${advice[code]}`,
    ...(fix ? { fix } : {}),
  }
}

function criticalUnguarded(path: NodePath, code: Unguarded, ctx: CheckContext): Report {
  const place = paramPath(path, 'alert', 'severity')
  const fix = lowerSeverity(place, ctx)
  return {
    severity: 'error',
    code: 'critical_unguarded',
    path: place,
    message: `A critical alert needs a guard like a move: lower it to high, or it comes ${advice[code]}`,
    ...(fix ? { fix } : {}),
  }
}

function checkParameters(
  params: unknown,
  base: string,
  scope: Scope | undefined,
  code: 'move_param_ai' | 'ask_param_ai',
  step: Step,
  ctx: CheckContext,
): void {
  for (const { text, path } of textsIn(params, base)) {
    for (const name of placeholdersIn(text)) {
      const resolved = scope ? resolve(scope, name) : null
      // A name that means nothing or several things has its own problem.
      if (!resolved || resolved.ok === false || resolved.clean) continue
      const what =
        code === 'move_param_ai' ? `a parameter of ${step.kind}` : 'this part of an Ask that guards a move'
      ctx.report({
        severity: 'error',
        code,
        path,
        message: `{${name}} may have been made by AI and ${what} may not hold it: write a fixed text or a clean value.`,
      })
    }
  }
}
