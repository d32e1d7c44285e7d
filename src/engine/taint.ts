import { type SiteView, triggerKind, type Workflow } from '../contract/index.ts'
import type { IncomingEvent } from '../core/index.ts'

/** All of the trigger's values. */
export const EVERYTHING = '*'

/** Correlation ids that the box itself minted for its runs. */
export const runCorrelation = (boxId: string, runId: number): string => `run_${boxId}_${runId}`

/**
 * Which values of the trigger may guard no move in this very run, beyond what the file alone says: all of them
 * behind AI (a chain of workflows, a run's correlation id, an alert that is not plain), and a plate that was
 * read with less confidence than the site demands.
 */
export function taintOf(workflow: Workflow, event: IncomingEvent, site: SiteView): string[] {
  const { kind, params } = workflow.when
  const fromRun = event.chain.length > 0 || (event.correlationId?.startsWith('run_') ?? false)
  if (fromRun || triggerKind(kind)?.tainted(params, site) !== false) return [EVERYTHING]
  if (event.schema !== 'plate.recognized.v1') return []
  const { confidence } = event.payload
  const enough = typeof confidence === 'number' && confidence >= site.plateConfidence && confidence <= 1
  return enough ? [] : ['plate', 'plate_text']
}
