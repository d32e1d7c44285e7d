import type { JsonValue } from '../core/index.ts'
import type { SitePort } from '../kinds/index.ts'
import type { JsonObject } from '../store/index.ts'
import type { Admitted } from './admit.ts'
import { movesAt } from './moves.ts'
import type { RunFacts } from './run.ts'

/** What is stored of an admitted event with its run; state, version and what moves are frozen here. */
export function factsOf(
  { loaded, event }: Pick<Admitted, 'loaded' | 'event'>,
  startedAt: number,
  site: SitePort,
): RunFacts {
  return {
    versionId: loaded.row.versionId,
    siteVersion: site.version,
    moves: loaded.program ? movesAt(loaded.program, site, loaded.row.slug) : [],
    state: loaded.row.state === 'on' ? 'on' : 'test',
    triggerKind:
      event.kind === 'alert' && loaded.program?.workflow.when.kind === 'event' ? 'event' : event.kind,
    event: isUnknownCamera(event.cameraId, site)
      ? { ...eventOf(event), camera_known: false }
      : eventOf(event),
    cameraId: event.cameraId,
    chain: [...event.chain],
    correlationId: event.correlationId,
    startedAt,
  }
}

/**
 * What is odd about a camera that an event names where the site has cameras and none of that name; null: nothing. Such
 * an event counts all the same: it may come from a camera that nobody has listed yet.
 */
export function cameraNote(cameraId: string | null, site: SitePort): string | null {
  if (cameraId === null || !isUnknownCamera(cameraId, site)) return null
  const [camera] = site.camerasWithRole(cameraId)
  const hint =
    camera === undefined ? 'check the name, or add it to site.yaml' : `it is the role of ${camera}: name that`
  return `This site has no camera “${cameraId}”: ${hint}.`
}

/** A site without any camera has none to miss. */
function isUnknownCamera(cameraId: string | null, site: SitePort): boolean {
  return cameraId !== null && site.cameraName(cameraId) === null && site.view().roles.size > 0
}

/** The event as it came, without its pictures and without what it did not say. */
function eventOf({ pictures: _, workflowId: _id, chain: _chain, ...event }: Admitted['event']): JsonObject {
  const said: { [key: string]: JsonValue } = { id: event.id, at: new Date(event.at).toISOString() }
  if (event.cameraId !== null) said.camera_id = event.cameraId
  if (event.schema !== null) said.schema = event.schema
  if (event.source !== null) said.source = event.source
  if (event.severity !== null) said.severity = event.severity
  if (event.correlationId !== null) said.correlation_id = event.correlationId
  if (event.by !== null) said.by = { by: event.by.by, name: event.by.name }
  said.payload = event.payload as JsonObject
  return said
}
