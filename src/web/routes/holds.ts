import { parseDuration } from '../../contract/index.ts'
import { GatehouseError } from '../../core/index.ts'
import { field, MAX_TEXT, readJsonBody, truthIn } from '../body.ts'
import { RUN, runAt, workflowAt } from '../find.ts'
import type { WebDeps } from '../ports.ts'
import { type Call, json, type Route } from '../route.ts'

/** Holding moves, settling those that are held, and snoozing. */
export function holdRoutes({ engine }: WebDeps): Route[] {
  const { holds } = engine
  return [
    {
      method: 'GET',
      path: '/api/v1/system/pause',
      permission: 'workflows.view',
      summary: 'Whether moves are held',
      handle: () => json(holds.view()),
    },
    {
      method: 'PUT',
      path: '/api/v1/system/pause',
      permission: 'workflows.manage',
      summary: 'Hold all moves, or let them go on',
      body: { paused: 'boolean' },
      handle: async ({ request, who }) => json(await holds.pause(await truth(request, 'paused'), who.as)),
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
      handle: async call => {
        const workflow = workflowAt(call, engine)
        await holds.snoozeWorkflow(workflow.id, await duration(call), call.who.as)
        return json(engine.workflow(String(workflow.id)))
      },
    },
    {
      method: 'POST',
      path: '/api/v1/cameras/:id/snooze',
      permission: 'workflows.manage',
      summary: 'Let a camera rest for a time',
      body: { for: 'string|null' },
      answer: { snoozes: 'array' },
      handle: async call => {
        const view = await holds.snoozeCamera(call.params.id ?? '', await duration(call), call.who.as)
        return json({ snoozes: view.snoozes })
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
