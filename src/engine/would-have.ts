import type { JsonValue } from '../core/index.ts'
import { guarded } from './moves.ts'
import type { EngineDeps } from './ports.ts'
import type { Node } from './program.ts'
import type { Ended, Run } from './run.ts'
import { capOf, wouldSay } from './severity.ts'

/** What an action would have done, were the workflow On. */
export function wouldHave(run: Run, node: Node, inputs: JsonValue, moves: boolean, deps: EngineDeps): Ended {
  const { clock, siteMode } = deps
  const site = deps.site()
  const permit = moves ? guarded(run, node, site, siteMode.get(), clock.now()) : { ok: true as const }
  const result = permit.ok
    ? { effect: moves ? 'move' : 'tell', ...wouldSay(inputs, capOf(run, node, site, deps)) }
    : { effect: 'move', refused: permit.code, message: permit.message }
  return { status: 'would_have', outcome: null, result, ai: null }
}
