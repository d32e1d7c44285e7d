import { parseDuration } from '../../contract/index.ts'
import { GatehouseError } from '../../core/index.ts'
import { field, MAX_TEXT, readJsonBody, truthIn } from '../body.ts'
import { ownWorkflowAt, runAt, workflowAt } from '../find.ts'
import type { WebDeps } from '../ports.ts'
import { notFound } from '../problem.ts'
import { type Call, json, type Route } from '../route.ts'
import { HOLDS, RUN, SNOOZES, WORKFLOW } from '../schemas/index.ts'
import { Sight } from '../sight.ts'

/** Holding moves, settling those that are held, and snoozing. */
export function holdRoutes({ engine }: WebDeps): Route[] {
  const { holds } = engine
  return [
    {
      method: 'GET',
      path: '/api/v1/system/pause',
      permission: 'workflows.view',
      summary: 'Whether moves are held',
      answer: HOLDS,
      handle: ({ who }) => json(new Sight(who, engine).holds(holds.view())),
    },
    {
      method: 'PUT',
      path: '/api/v1/system/pause',
      permission: 'workflows.manage',
      summary: 'Hold all moves, or let them go on',
      body: { paused: 'boolean' },
      answer: HOLDS,
      handle: async ({ request, who }) => {
        const paused = await truth(request, 'paused')
        const sight = new Sight(who, engine)
        // Everybody may pull the brake; letting everything go again is for those who see all of it.
        if (!paused) sight.demandWhole()
        return json(sight.holds(await holds.pause(paused, who.as)))
      },
    },
    {
      method: 'POST',
      path: '/api/v1/runs/:id/release',
      permission: 'workflows.approve',
      summary: 'Make a held move, or leave it',
      body: { do: 'boolean' },
      answer: RUN,
      status: 202,
      handle: async call => {
        const { id } = runAt(call, engine)
        await holds.release(id, await truth(call.request, 'do'), call.who.as)
        return json(engine.run(id), 202)
      },
    },
    {
      method: 'POST',
      path: '/api/v1/workflows/:id/snooze',
      permission: 'workflows.manage',
      summary: 'Let a workflow rest for a time',
      body: { for: 'string|null' },
      answer: WORKFLOW,
      handle: async call => {
        const { id } = ownWorkflowAt(call, engine)
        await holds.snoozeWorkflow(id, await duration(call), call.who.as)
        return json(workflowAt(call, engine))
      },
    },
    {
      method: 'POST',
      path: '/api/v1/cameras/:id/snooze',
      permission: 'workflows.manage',
      summary: 'Let a camera rest for a time',
      body: { for: 'string|null' },
      answer: SNOOZES,
      handle: async call => {
        const id = call.params.id ?? ''
        const sight = new Sight(call.who, engine)
        if (!sight.camera(id)) throw notFound('camera')
        const view = await holds.snoozeCamera(id, await duration(call), call.who.as)
        return json({ snoozes: sight.holds(view).snoozes })
      },
    },
  ]
}

async function truth(request: Request, name: string): Promise<boolean> {
  return truthIn(await readJsonBody(request, MAX_TEXT), name)
}

/** `for` as a duration; null or `0s` ends a snooze. */
async function duration({ request }: Call): Promise<number> {
  const value = field(await readJsonBody(request, MAX_TEXT), 'for')
  if (value === null) return 0
  const ms = typeof value === 'string' ? parseDuration(value) : null
  if (ms === null || ms === undefined)
    throw new GatehouseError('bad_body', '`for` must be a duration such as `30m` or `8h`, or null.', {
      status: 422,
    })
  return ms
}
