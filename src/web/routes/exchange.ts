import { GatehouseError, type JsonValue } from '../../core/index.ts'
import { ownWorkflowAt, workflowAt } from '../find.ts'
import type { WebDeps } from '../ports.ts'
import { isIn } from '../query.ts'
import { json, type Route } from '../route.ts'
import { faulty, saved } from '../saved.ts'
import {
  FILE_PROBLEM,
  list,
  OUTLINE,
  OUTLINE_WITH_TEST,
  orNull,
  TEMPLATE,
  WANTED,
  WORKFLOW,
} from '../schemas/index.ts'
import { reachOf } from '../sight.ts'
import { readRenamed } from '../yaml-body.ts'

/** Files that come and go, and what they would do here. */
export function exchangeRoutes({ engine, authoring }: WebDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/workflows/templates',
      permission: 'workflows.view',
      summary: 'List the templates that come with the program, each with its file',
      answer: { templates: list(TEMPLATE) },
      handle: () => json({ templates: authoring.templates() }),
    },
    {
      method: 'POST',
      path: '/api/v1/workflows/import',
      permission: 'workflows.manage',
      summary:
        'Say what a file would do here, and with which names of this site; with save=true it is stored, Off. 409 where its name is taken, unless a copy is asked for',
      query: { 'save?': ['true'], 'copy?': ['1'] },
      body: 'renamed',
      answer: {
        problems: list(FILE_PROBLEM),
        outline: OUTLINE,
        yaml: 'string',
        wanted: list(WANTED),
        workflow: orNull(WORKFLOW),
      },
      handle: async ({ request, query, who }) => {
        const given = await readRenamed(request)
        const { holds, ...looked } = authoring.inspect(given.yaml, who.cameras, given.names)
        const { problems, yaml, outline, wanted } = looked
        // What it wants is said also where it does not hold: that is what a person can do something about.
        if (!holds) {
          const said = { yaml, outline, wanted } as unknown as Record<string, JsonValue>
          return faulty(problems, 'nothing was imported', said)
        }
        if (!isIn(query, 'save')) return json({ ...looked, workflow: null })
        const unique = query.get('copy') !== '1'
        const result = await engine.save(yaml, { by: who.author, state: 'off', unique, reach: reachOf(who) })
        if (!result.ok) return saved(result, 200)
        return json({ ...looked, problems: result.problems, workflow: result.workflow })
      },
    },
    {
      method: 'GET',
      path: '/api/v1/workflows/:id/outline',
      permission: 'workflows.view',
      summary: 'Say what a workflow moves, whom it tells, what it reads, and what came of it in Test',
      answer: OUTLINE_WITH_TEST,
      handle: call => {
        const outline = engine.outline(ownWorkflowAt(call, engine).id)
        if (!outline) throw broken()
        return json(outline)
      },
    },
    {
      method: 'GET',
      path: '/api/v1/workflows/:id/export',
      permission: 'workflows.view',
      summary: 'Download a workflow as a file for another site',
      answer: 'application/yaml',
      handle: call => {
        const { id, slug } = workflowAt(call, engine)
        const yaml = authoring.portable(engine.workflowYaml(id) ?? '', slug)
        if (yaml === null) throw broken()
        const name = slug.replaceAll(/[^a-z0-9_-]/g, '') || 'workflow'
        return new Response(yaml, {
          headers: {
            'content-type': 'application/yaml; charset=utf-8',
            'content-disposition': `attachment; filename="${name}.yaml"`,
            'cache-control': 'no-store',
          },
        })
      },
    },
  ]
}

const broken = () =>
  new GatehouseError('version_broken', 'Its file is not understood any more: open it and mend it.', {
    status: 409,
  })
