import { type SiteView, triggerKind, type Workflow } from '../contract/index.ts'
import type { IncomingEvent, JsonValue } from '../core/index.ts'

/** All of the trigger's values. */
export const EVERYTHING = '*'

/** Whoever found the plate in the picture has to have been as sure as this of where it is. */
const SURE_OF_PLACE = 0.5

/** Correlation ids that the box itself minted for its runs. */
export const runCorrelation = (boxId: string, runId: number): string => `run_${boxId}_${runId}`

/**
 * Which values of the trigger may guard no move in this very run, beyond what the file alone says: all of them
 * behind AI (a chain of workflows, a run's correlation id, an alert that is not plain), and a plate that was
 * read with less confidence than the site demands, or out of a place that may be none.
 */
export function taintOf(workflow: Workflow, event: IncomingEvent, site: SiteView): string[] {
  const { kind, params } = workflow.when
  const fromRun = event.chain.length > 0 || (event.correlationId?.startsWith('run_') ?? false)
  if (fromRun || triggerKind(kind)?.tainted(params, site) !== false) return [EVERYTHING]
  if (event.schema !== 'plate.recognized.v1') return []
  const { confidence, plate_box_confidence: place = null } = event.payload
  const isRead = isFrom(site.plateConfidence, confidence)
  return isRead && (place === null || isFrom(SURE_OF_PLACE, place)) ? [] : ['plate', 'plate_text']
}

const isFrom = (least: number, value: JsonValue | undefined): boolean =>
  typeof value === 'number' && value >= least && value <= 1
