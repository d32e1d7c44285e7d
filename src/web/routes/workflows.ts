import { GatehouseError } from '../../core/index.ts'
import type { WorkflowView } from '../../engine/index.ts'
import { field, MAX_TEXT, readJsonBody } from '../body.ts'
import type { WebDeps } from '../ports.ts'
import { notFound } from '../problem.ts'
import { type Call, json, type Route } from '../route.ts'
import { saved } from '../saved.ts'
import { readYaml } from '../yaml-body.ts'

/** Who writes it, until people have names. */
const HERE = 'this machine'
const STATES = ['off', 'test', 'on'] as const

/** Workflows: to list, read, write and switch. */
export function workflowRoutes({ engine, authoring }: WebDeps): Route[] {
  const find = (call: Call): WorkflowView => {
    const workflow = engine.workflow(call.params.id ?? '')
    if (!workflow) throw notFound('workflow')
    return workflow
  }

  return [
    {
      method: 'GET',
      path: '/api/v1/workflows',
      permission: 'workflows.view',
      handle: () => json({ workflows: engine.workflows() }),
    },
    {
      method: 'POST',
      path: '/api/v1/workflows',
      permission: 'workflows.manage',
      handle: async ({ request }) => saved(await engine.save(await readYaml(request), { by: HERE }), 201),
    },
    {
      method: 'GET',
      path: '/api/v1/workflows/registry',
      permission: 'workflows.view',
      handle: () => json(authoring.registry()),
    },
    {
      method: 'GET',
      path: '/api/v1/workflows/schema',
      permission: 'workflows.view',
      handle: () => json(authoring.schema()),
    },
    {
      method: 'POST',
      path: '/api/v1/workflows/validate',
      permission: 'workflows.view',
      handle: async ({ request }) => json({ problems: authoring.validate(await readYaml(request)) }),
    },
    {
      method: 'GET',
      path: '/api/v1/workflows/:id',
      permission: 'workflows.view',
      handle: call => {
        const workflow = find(call)
        const { id } = workflow
        return json({ ...workflow, yaml: engine.workflowYaml(id), trust: engine.learning.trust(id) })
      },
    },
    {
      method: 'PUT',
      path: '/api/v1/workflows/:id',
      permission: 'workflows.manage',
      handle: async call => {
        const { id } = find(call)
        return saved(await engine.save(await readYaml(call.request), { id, by: HERE }), 200)
      },
    },
    {
      method: 'POST',
      path: '/api/v1/workflows/:id/state',
      permission: 'workflows.manage',
      handle: async call => {
        const { id } = find(call)
        const body = await readJsonBody(call.request, MAX_TEXT)
        const state = STATES.find(name => name === field(body, 'state'))
        if (!state) throw new GatehouseError('bad_state', '`state` must be off, test or on.', { status: 422 })
        return json(await engine.setState(id, state))
      },
    },
  ]
}
