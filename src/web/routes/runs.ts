import { MAX_TEXT, readJsonBody, truthIn, wholeIn } from '../body.ts'
import { pageOfRuns, RUN_QUERY, runAt, workflowAt } from '../find.ts'
import type { WebDeps } from '../ports.ts'
import { json, type Route } from '../route.ts'
import { list, RUN, RUN_SUMMARY } from '../schemas/index.ts'

/** Runs: to list, read, stop, and settle where nobody knows whether a move happened. */
export function runRoutes({ engine }: WebDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/workflows/:id/runs',
      permission: 'workflows.view',
      summary: 'List the runs of a workflow, newest first',
      query: RUN_QUERY,
      answer: { runs: list(RUN_SUMMARY), next: 'integer|null' },
      handle: call => json(pageOfRuns(call, engine, workflowAt(call, engine).id)),
    },
    {
      method: 'GET',
      path: '/api/v1/runs',
      permission: 'workflows.view',
      summary: 'List runs, newest first',
      query: RUN_QUERY,
      answer: { runs: list(RUN_SUMMARY), next: 'integer|null' },
      handle: call => json(pageOfRuns(call, engine)),
    },
    {
      method: 'GET',
      path: '/api/v1/runs/:id',
      permission: 'workflows.view',
      summary: 'Read a run with all its steps',
      answer: RUN,
      handle: call => json(runAt(call, engine)),
    },
    {
      method: 'POST',
      path: '/api/v1/runs/:id/stop',
      permission: 'workflows.manage',
      summary: 'Stop a run',
      answer: RUN,
      handle: async call => json(await engine.stopRun(runAt(call, engine).id, call.who.author)),
    },
    {
      method: 'POST',
      path: '/api/v1/runs/:id/settle',
      permission: 'workflows.approve',
      summary: 'Say whether a move happened of which nobody knows',
      body: { happened: 'boolean', 'step?': 'integer' },
      answer: RUN,
      handle: async call => {
        const { id } = runAt(call, engine)
        const body = await readJsonBody(call.request, MAX_TEXT)
        const step = wholeIn(body, 'step', 0)
        return json(await engine.settle(id, truthIn(body, 'happened'), call.who.author, step ?? undefined))
      },
    },
  ]
}
