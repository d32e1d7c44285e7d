/** The doors through which something that happened comes in: webhooks, buttons, events of other systems. */
import { GatehouseError, type Identified, type IncomingEvent, mintId } from '../../core/index.ts'
import type { Admission, WorkflowView } from '../../engine/index.ts'
import { echoOf, readEvent, readTime } from '../../kinds/index.ts'
import { MAX_TEXT, readJsonBody } from '../body.ts'
import { type Delivery, readDelivery } from '../delivery.ts'
import { workflowAt } from '../find.ts'
import type { WebDeps } from '../ports.ts'
import { notFound } from '../problem.ts'
import { json, type Route } from '../route.ts'
import { Sight } from '../sight.ts'

export function intakeRoutes({ engine, clock }: WebDeps): Route[] {
  const submit = async (event: IncomingEvent) => {
    const [admission] = await engine.submit(event)
    if (!admission) throw notFound('workflow')
    const { run, reason, note } = admission
    return json({ run, reason, ...(note !== undefined && { note }) }, 202)
  }

  return [
    {
      method: 'POST',
      path: '/api/v1/hooks/:id',
      permission: 'hook',
      summary: 'Start a workflow by its webhook',
      body: 'delivery',
      answer: { run: 'integer|null', reason: 'object|null' },
      status: 202,
      handle: async ({ request, params }) => {
        const workflow = engine.byHook(params.id ?? '')
        if (!workflow) throw notFound('hook')
        const delivery = await readDelivery(request, clock.now())
        return submit(eventOf('webhook', workflow, delivery, clock.now(), request, null))
      },
    },
    {
      method: 'POST',
      path: '/api/v1/workflows/:id/press',
      permission: 'workflows.press',
      summary: "Press a workflow's button",
      body: 'delivery',
      answer: { run: 'integer|null', reason: 'object|null' },
      status: 202,
      handle: async call => {
        const { request, who } = call
        const workflow = workflowAt(call, engine)
        if (workflow.trigger !== 'button')
          throw new GatehouseError('not_a_button', `${workflow.name} does not start by a button.`, {
            status: 409,
          })
        const delivery = await readDelivery(request, clock.now())
        const event = eventOf('button', workflow, delivery, clock.now(), request, who.as)
        new Sight(who, engine).demandCamera(event.cameraId)
        return submit(event)
      },
    },
    {
      method: 'POST',
      path: '/api/v1/events',
      permission: 'events.send',
      summary: 'Hand in an event',
      body: 'event',
      answer: { event: 'string', admissions: 'array' },
      status: 202,
      handle: async ({ request }) => {
        const event = readEvent(await readJsonBody(request, MAX_TEXT), clock.now(), correlationOf(request))
        const admissions = await engine.submit(event)
        return json({ event: event.id, admissions, ...note(admissions) }, 202)
      },
    },
  ]
}

/** What the list of admissions does not say by itself. */
function note(admissions: readonly Admission[]): { message?: string } {
  if (!admissions.length) return { message: 'No workflow listens to this.' }
  return admissions.every(({ reason }) => reason?.code === 'seen')
    ? { message: 'This was taken before.' }
    : {}
}

function eventOf(
  kind: 'webhook' | 'button',
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
const correlationOf = (request: Request): string | null => request.headers.get('x-correlation-id')

/** The sender's own id of this delivery, the same over all its tries. */
function deliveryId(request: Request): string | null {
  const { headers } = request
  const id = headers.get('webhook-id') ?? headers.get('x-delivery-id') ?? headers.get('idempotency-key')
  if (id === null || id === '') return null
  if (!/^[\x21-\x7e]{1,128}$/.test(id))
    throw new GatehouseError('bad_delivery_id', 'The delivery id must be 1 to 128 visible ASCII characters.')
  return id
}
