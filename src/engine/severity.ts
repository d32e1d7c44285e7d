import type { Severity } from '../contract/index.ts'
import type { JsonValue } from '../core/index.ts'
import { cappedFrom, milder, type SitePort } from '../kinds/index.ts'
import { isObject } from './json.ts'
import { gateOf } from './learn/gate.ts'
import { guarded } from './moves.ts'
import type { EngineDeps } from './ports.ts'
import type { Node } from './program.ts'
import type { Run } from './run.ts'

/** The most that a step may say of itself, and why not more. */
export interface Cap {
  most: Severity
  why: string | null
}

const FREE: Cap = { most: 'critical', why: null }

/**
 * What AI decided is called `medium` at most until its step has earned more, and where nobody measured how sure it
 * was; `critical` takes a person or a plain rule on the path, which also lifts the rest. Steps that were unsure decided
 * nothing.
 */
export function capOf(run: Run, node: Node, site: SitePort, deps: EngineDeps): Cap {
  const asked = severityAsked(node)
  if (asked !== 'high' && asked !== 'critical') return FREE
  const why = [...run.judged]
    .map(([judge, measured]) => doubt(run, judge, measured, site, deps))
    .find(Boolean)
  if (!why && asked !== 'critical') return FREE
  if (guarded(run, node, site, deps.siteMode.get(), deps.clock.now()).ok) return FREE
  if (why) return { most: 'medium', why }
  return { most: 'high', why: 'critical takes a person or a plain rule on the path' }
}

/** Why what an AI step decided is no more than `medium`, or null. */
function doubt(
  run: Run,
  judge: string,
  measured: boolean,
  site: SitePort,
  { store }: EngineDeps,
): string | null {
  if (!measured) return 'nothing measured how sure the AI step was'
  return gateOf(store.marks.tally(run.loaded.row.id, judge), site.alertGate).why
}

/** What a step in Test says of a severity that would have been cut down. */
export function wouldSay(inputs: JsonValue, { most, why }: Cap): { [key: string]: JsonValue } {
  const asked = isObject(inputs) ? (inputs.severity as Severity | undefined) : undefined
  if (asked === undefined || why === null) return {}
  const severity = milder(asked, most)
  return severity === asked ? {} : { severity, ...cappedFrom(asked, severity, why) }
}

function severityAsked({ step }: Node): unknown {
  return step.params !== null && typeof step.params === 'object' && 'severity' in step.params
    ? step.params.severity
    : null
}
