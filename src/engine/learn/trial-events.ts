import type { Workflow } from '../../contract/index.ts'
import type { Identified, IncomingEvent, JsonValue } from '../../core/index.ts'
import { type SitePort, triggers } from '../../kinds/index.ts'
import type { RunRow, Store } from '../../store/index.ts'
import { isObject } from '../json.ts'

/** Runs that are looked through for their events. */
const MOST_SCANNED = 1_000
const PAGE = 200
/** Triggers whose events are addressed to one workflow. */
const ADDRESSED = new Set(['button', 'webhook', 'schedule', 'message'])

/** A stored event, and what came of it. */
export interface StoredEvent {
  event: IncomingEvent
  /** The run of the workflow itself that it started then. */
  then: RunRow | null
  /** The run whose pictures are the event's. */
  source: RunRow
}

/** The event of a run, to try the run's own workflow on. */
export function storedEventOf(run: RunRow): StoredEvent {
  return { event: eventOf(run, ADDRESSED.has(run.triggerKind)), then: run, source: run }
}

/** Events of the past that fit the trigger, newest first: of all workflows, or of this one where they are addressed. */
export function* storedEvents(
  workflow: Workflow,
  workflowId: number | null,
  store: Store,
  site: SitePort,
): Generator<StoredEvent> {
  const { kind, params } = workflow.when
  const trigger = Object.hasOwn(triggers, kind) ? triggers[kind as keyof typeof triggers] : null
  const addressed = ADDRESSED.has(kind)
  if (!trigger || (addressed && workflowId === null)) return
  const seen = new Set<string>()
  let scanned = 0
  let before: number | undefined
  while (scanned < MOST_SCANNED) {
    const rows = store.runs.list({
      ...(addressed && workflowId !== null && { workflowId }),
      ...(before !== undefined && { before }),
      limit: PAGE,
    })
    for (const row of rows) {
      const event = eventOf(row, addressed)
      if (row.endedAt === null || seen.has(event.id) || !trigger.matches(params, event, site)) continue
      seen.add(event.id)
      // One event starts the runs of several workflows at once: their rows are neighbours.
      const same = rows.filter(other => other.event.id === event.id)
      const then = same.find(other => other.workflowId === workflowId && other.endedAt !== null) ?? null
      yield { event, then, source: then ?? row }
    }
    if (rows.length < PAGE) return
    scanned += rows.length
    before = rows.at(-1)?.id
  }
}

/** The event as it came, out of its run's row. Pictures are apart. */
function eventOf(
  { event, triggerKind, cameraId, chain, correlationId }: RunRow,
  addressed: boolean,
): IncomingEvent {
  const text = (value: JsonValue | undefined) => (typeof value === 'string' ? value : null)
  const schema = text(event.schema)
  return {
    kind: triggerKind === 'event' && schema === 'alert.fired.v1' ? 'alert' : triggerKind,
    id: text(event.id) ?? '',
    at: Date.parse(text(event.at) ?? ''),
    cameraId,
    schema,
    source: text(event.source),
    severity: text(event.severity),
    payload: isObject(event.payload) ? event.payload : {},
    correlationId,
    chain,
    by: isObject(event.by) ? (event.by as unknown as Identified) : null,
    // Where it is tried there is one workflow, the first.
    workflowId: addressed ? 1 : null,
    pictures: [],
  }
}
