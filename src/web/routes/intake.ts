/** The doors through which something that happened comes in: webhooks, buttons, events of other systems. */
import { GatehouseError, type IncomingEvent } from '../../core/index.ts'
import type { Admission } from '../../engine/index.ts'
import { readEvent } from '../../kinds/index.ts'
import { addressed, correlationOf } from '../addressed.ts'
import { MAX_TEXT, readJsonBody } from '../body.ts'
import { readDelivery } from '../delivery.ts'
import { workflowAt } from '../find.ts'
import type { WebDeps } from '../ports.ts'
import { notFound } from '../problem.ts'
import { roomOf } from '../room.ts'
import { json, type Route } from '../route.ts'
import { STARTED, TAKEN } from '../schemas/index.ts'
import { Sight } from '../sight.ts'

export function intakeRoutes({ engine, hooks, clock }: WebDeps): Route[] {
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
      answer: STARTED,
      status: 202,
      handle: async ({ request, params, from }) => {
        const workflow = engine.byHook(params.id ?? '')
        if (!workflow) throw notFound('hook')
        hooks.assertFrom(workflow.slug, from.peer ?? null)
        const delivery = await readDelivery(request, clock.now(), {
          check: body => hooks.assertSigned(workflow.slug, request.headers, body),
          fetch: async address => {
            const bytes = await hooks.picture(address, request.signal)
            roomOf(request)?.take(bytes.byteLength)
            return bytes
          },
        })
        return submit(addressed('webhook', workflow, delivery, clock.now(), request, null))
      },
    },
    {
      method: 'POST',
      path: '/api/v1/workflows/:id/press',
      permission: 'workflows.press',
      summary: "Press a workflow's button",
      body: 'delivery',
      answer: STARTED,
      status: 202,
      handle: async call => {
        const { request, who } = call
        const workflow = workflowAt(call, engine)
        if (workflow.trigger !== 'button')
          throw new GatehouseError('not_a_button', `${workflow.name} does not start by a button.`, {
            status: 409,
          })
        const delivery = await readDelivery(request, clock.now())
        const event = addressed('button', workflow, delivery, clock.now(), request, who.as)
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
      answer: TAKEN,
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
