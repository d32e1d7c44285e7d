import { GatehouseError } from '../../core/index.ts'
import { field, MAX_TEXT, readJsonBody } from '../body.ts'
import { HERE } from '../here.ts'
import type { WebDeps } from '../ports.ts'
import { notFound } from '../problem.ts'
import { pageIn } from '../query.ts'
import { type Call, idOf, json, type Route } from '../route.ts'

/** Runs: to list, read, stop, and settle where nobody knows whether a move happened. */
export function runRoutes({ engine }: WebDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/workflows/:id/runs',
      permission: 'workflows.view',
      summary: 'List the runs of a workflow, newest first',
      query: { 'limit?': 'integer', 'before?': 'integer' },
      answer: { runs: 'array', next: 'integer|null' },
      handle: call => {
        const workflow = engine.workflow(call.params.id ?? '')
        if (!workflow) throw notFound('workflow')
        return json(pageOfRuns(call, engine, workflow.id))
      },
    },
    {
      method: 'GET',
      path: '/api/v1/runs',
      permission: 'workflows.view',
      summary: 'List runs, newest first',
      query: { 'limit?': 'integer', 'before?': 'integer' },
      answer: { runs: 'array', next: 'integer|null' },
      handle: call => json(pageOfRuns(call, engine)),
    },
    {
      method: 'GET',
      path: '/api/v1/runs/:id',
      permission: 'workflows.view',
      summary: 'Read a run with all its steps',
      answer: {
        id: 'integer',
        workflow: 'object',
        state: ['test', 'on'],
        status: 'string',
        steps: 'array',
        pictures: 'array',
      },
      handle: call => {
        const run = engine.run(idOf(call, 'run'))
        if (!run) throw notFound('run')
        return json(run)
      },
    },
    {
      method: 'POST',
      path: '/api/v1/runs/:id/stop',
      permission: 'workflows.manage',
      summary: 'Stop a run',
      answer: {
        id: 'integer',
        workflow: 'object',
        state: ['test', 'on'],
        status: 'string',
        steps: 'array',
        pictures: 'array',
      },
      handle: async call => {
        const id = idOf(call, 'run')
        if (!engine.run(id)) throw notFound('run')
        return json(await engine.stopRun(id))
      },
    },
    {
      method: 'POST',
      path: '/api/v1/runs/:id/settle',
      permission: 'workflows.approve',
      summary: 'Say whether a move happened of which nobody knows',
      body: { happened: 'boolean', 'step?': 'integer' },
      answer: {
        id: 'integer',
        workflow: 'object',
        state: ['test', 'on'],
        status: 'string',
        steps: 'array',
        pictures: 'array',
      },
      handle: async call => {
        const id = idOf(call, 'run')
        if (!engine.run(id)) throw notFound('run')
        const body = await readJsonBody(call.request, MAX_TEXT)
        const happened = field(body, 'happened')
        if (typeof happened !== 'boolean')
          throw new GatehouseError('bad_body', '`happened` must be true or false.', { status: 422 })
        const step = field(body, 'step')
        if (step !== undefined && !(Number.isSafeInteger(step) && Number(step) >= 0))
          throw new GatehouseError('bad_body', '`step` must be the number of a step.', { status: 422 })
        return json(await engine.settle(id, happened, HERE.name, step as number | undefined))
      },
    },
  ]
}

/** Newest first; `next` is what to give as `before` for the page after this one. */
function pageOfRuns({ query }: Call, engine: WebDeps['engine'], workflowId?: number) {
  const page = pageIn(query)
  const runs = engine.runs({ ...page, ...(workflowId === undefined ? {} : { workflowId }) })
  return { runs, next: runs.length < page.limit ? null : (runs.at(-1)?.id ?? null) }
}
