import { GatehouseError, type JsonValue } from '../../core/index.ts'
import { CasesFlipped } from '../../engine/index.ts'
import { field, MAX_TEXT, readJsonBody } from '../body.ts'
import { ownWorkflowAt, workflowAt } from '../find.ts'
import type { WebDeps } from '../ports.ts'
import { problem } from '../problem.ts'
import { numberIn } from '../query.ts'
import { json, type Route } from '../route.ts'
import { saved } from '../saved.ts'
import {
  FILE_PROBLEM,
  list,
  loose,
  NAMES,
  REGISTRY,
  SAVED,
  SWITCHED,
  WORKFLOW,
  WORKFLOW_WITH_FILE,
} from '../schemas/index.ts'
import { reachOf, Sight } from '../sight.ts'
import { readYaml } from '../yaml-body.ts'

const STATES = ['off', 'test', 'on'] as const

/** Workflows: to list, read, write and switch. */
export function workflowRoutes({ engine, authoring }: WebDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/workflows',
      permission: 'workflows.view',
      summary: 'List workflows',
      answer: { workflows: list(WORKFLOW) },
      handle: ({ who }) => json({ workflows: new Sight(who, engine).workflows(engine.workflows()) }),
    },
    {
      method: 'POST',
      path: '/api/v1/workflows',
      permission: 'workflows.manage',
      summary: 'Store a new workflow; 409 where its name is taken, unless a copy is asked for',
      query: { 'copy?': ['1'] },
      body: 'yaml',
      answer: SAVED,
      status: 201,
      handle: async ({ request, query, who }) => {
        const unique = query.get('copy') !== '1'
        return saved(
          await engine.save(await readYaml(request), { by: who.author, unique, reach: reachOf(who) }),
          201,
        )
      },
    },
    {
      method: 'GET',
      path: '/api/v1/workflows/registry',
      permission: 'workflows.view',
      summary: 'Describe every kind that a file may hold',
      answer: REGISTRY,
      handle: () => json(authoring.registry()),
    },
    {
      method: 'GET',
      path: '/api/v1/workflows/names',
      permission: 'workflows.manage',
      summary: 'What a file may name at this site: camera roles, lists, people, destinations',
      answer: NAMES,
      handle: ({ who }) => {
        const { cameras, ...names } = authoring.names()
        const sight = new Sight(who, engine)
        const seen = cameras.filter(({ id }) => sight.camera(id))
        const all = (of: (camera: (typeof seen)[number]) => readonly string[]) => [
          ...new Set(seen.flatMap(of)),
        ]
        // Whoever sees some cameras is told no other name of the site than those.
        const hidden = { lists: [], roles: [], people: [], destinations: [], topics: [], apps: {} }
        return json({
          ...names,
          ...(!sight.isWhole && hidden),
          ...{ cameras: all(({ roles }) => roles), zones: all(({ zones }) => zones) },
        })
      },
    },
    {
      method: 'GET',
      path: '/api/v1/workflows/schema',
      permission: 'workflows.view',
      summary: 'JSON Schema of workflow.v1',
      answer: loose,
      handle: () => json(authoring.schema()),
    },
    {
      method: 'POST',
      path: '/api/v1/workflows/validate',
      permission: 'workflows.view',
      summary: 'Check a file without storing it',
      body: 'yaml',
      answer: { problems: list(FILE_PROBLEM) },
      handle: async ({ request, who }) =>
        json({ problems: authoring.validate(await readYaml(request), who.cameras) }),
    },
    {
      method: 'GET',
      path: '/api/v1/workflows/:id',
      permission: 'workflows.view',
      summary: 'Read a workflow with its file',
      answer: WORKFLOW_WITH_FILE,
      handle: call => {
        const workflow = workflowAt(call, engine)
        const { id } = workflow
        const beyond = new Sight(call.who, engine).beyond(workflow)
        return json({ ...workflow, yaml: engine.workflowYaml(id), trust: engine.learning.trust(id), beyond })
      },
    },
    {
      method: 'PUT',
      path: '/api/v1/workflows/:id',
      permission: 'workflows.manage',
      summary:
        'Store a new version of a workflow; 409 where another version than the one named is in force by now',
      query: { 'over?': 'integer' },
      body: 'yaml',
      answer: SAVED,
      handle: async call => {
        const { id } = ownWorkflowAt(call, engine)
        const over = numberIn(call.query, 'over', 999_999_999)
        const given = { id, by: call.who.author, reach: reachOf(call.who), ...(over && { over }) }
        return saved(await engine.save(await readYaml(call.request), given), 200)
      },
    },
    {
      method: 'DELETE',
      path: '/api/v1/workflows/:id',
      permission: 'workflows.manage',
      summary: 'Take a workflow away: off, in no list, its webhook dead; its runs stay',
      status: 204,
      handle: async call => {
        await engine.remove(ownWorkflowAt(call, engine).id, call.who.author)
        return new Response(null, { status: 204 })
      },
    },
    {
      method: 'POST',
      path: '/api/v1/workflows/:id/state',
      permission: 'workflows.manage',
      summary:
        'Switch a workflow; 409 where marked runs or cases of its template come out differently, unless that is confirmed',
      query: { 'confirm?': ['true'] },
      slow: true,
      body: { state: ['off', 'test', 'on'] },
      answer: SWITCHED,
      handle: async call => {
        const { id } = ownWorkflowAt(call, engine)
        const body = await readJsonBody(call.request, MAX_TEXT)
        const state = STATES.find(name => name === field(body, 'state'))
        if (!state) throw new GatehouseError('bad_state', '`state` must be off, test or on.', { status: 422 })
        const confirmed = call.query.get('confirm') === 'true'
        const sight = new Sight(call.who, engine)
        try {
          const options = { confirmed, reach: reachOf(call.who) }
          const { cases, ...view } = await engine.setState(id, state, call.who.author, options)
          return json({ ...(sight.workflow(view) ?? view), ...(cases && { cases: sight.cases(cases) }) })
        } catch (error) {
          if (error instanceof CasesFlipped) return flipped(error, sight)
          throw error
        }
      },
    },
  ]
}

/** What flipped goes along, so that people can look at it. */
function flipped({ status, code, message, cases }: CasesFlipped, sight: Sight): Response {
  return problem(status, code, message, { extra: { cases: sight.cases(cases) as unknown as JsonValue } })
}
