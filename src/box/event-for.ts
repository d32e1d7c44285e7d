import type { Workflow } from '../contract/index.ts'
import { type IncomingEvent, type JsonValue, mintId, type Picture } from '../core/index.ts'

/**
 * The event that would have started the workflow: of the kind that its trigger waits for, with the given keys. `camera`
 * names the camera, `severity` and `source` an alert's; the other keys are the payload.
 */
export function eventFor(
  workflow: Workflow,
  given: { [key: string]: JsonValue },
  target: { workflowId: number; pictures: Picture[]; now: number },
): IncomingEvent {
  const { kind, params } = workflow.when
  const { camera, camera_id, severity, source, schema, ...payload } = given
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  const first = (value: unknown) => text(Array.isArray(value) ? value[0] : value)
  return {
    kind,
    id: mintId('evt'),
    at: target.now,
    cameraId: text(camera_id) ?? text(camera) ?? null,
    schema: text(schema) ?? text(params.schema),
    source: text(source) ?? first(params.source),
    severity: text(severity) ?? first(params.severity),
    payload,
    correlationId: null,
    chain: [],
    by: { by: 'console', name: 'console' },
    workflowId: target.workflowId,
    pictures: target.pictures,
  }
}
