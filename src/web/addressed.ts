import { GatehouseError, type Identified, type IncomingEvent, mintId } from '../core/index.ts'
import type { WorkflowView } from '../engine/index.ts'
import { echoOf, readTime } from '../kinds/index.ts'
import type { Delivery } from './delivery.ts'

/** What somebody brought to one workflow, on its way to a run of it. Throws `bad_delivery_id` (400). */
export function addressed(
  kind: 'webhook' | 'button' | 'message',
  workflow: WorkflowView,
  { event, pictures }: Delivery,
  now: number,
  request: Request,
  by: Identified | null,
): IncomingEvent {
  const camera = event.camera_id ?? event.camera
  const delivery = deliveryId(request)
  return {
    kind,
    // Ids of different senders do not meet: the same word at two hooks is two events.
    id: delivery === null ? mintId('evt') : `${kind}:${workflow.id}:${delivery}`,
    at: Math.min(readTime(event.ts) ?? now, now),
    cameraId: typeof camera === 'string' || typeof camera === 'number' ? String(camera).slice(0, 200) : null,
    schema: null,
    source: null,
    severity: null,
    payload: event,
    ...echoOf(event, [correlationOf(request)]),
    by,
    workflowId: workflow.id,
    pictures,
  }
}

/** Which run a sender heard from before it sent this, if it says so. */
export const correlationOf = (request: Request): string | null => request.headers.get('x-correlation-id')

/** The sender's own id of this delivery, the same over all its tries. */
function deliveryId(request: Request): string | null {
  const { headers } = request
  const id = headers.get('webhook-id') ?? headers.get('x-delivery-id') ?? headers.get('idempotency-key')
  if (id === null || id === '') return null
  if (!/^[\x21-\x7e]{1,128}$/.test(id))
    throw new GatehouseError('bad_delivery_id', 'The delivery id must be 1 to 128 visible ASCII characters.')
  return id
}
