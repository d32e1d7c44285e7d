import { GatehouseError } from '../../core/index.ts'
import { field, MAX_TEXT, readJsonBody } from '../body.ts'
import { ownWorkflowAt, runAt, workflowAt } from '../find.ts'
import { lines } from '../lines.ts'
import type { WebDeps } from '../ports.ts'
import { notFound } from '../problem.ts'
import { type Call, json, type Route } from '../route.ts'
import { CASE, list } from '../schemas/index.ts'
import { Sight } from '../sight.ts'
import { tarOf } from '../tar.ts'

/** The cases of a workflow: runs with the answer that a person says is right. */
export function caseRoutes({ engine, clock, log }: WebDeps): Route[] {
  const { set } = engine.learning
  const sees = (call: Call) => {
    const sight = new Sight(call.who, engine)
    return (camera: string | null) => camera === null || sight.camera(camera)
  }
  /** Throws 404. */
  const caseAt = (call: Call, workflow: number): number => {
    const id = Number(/^[1-9]\d{0,14}$/.exec(call.params.case ?? '')?.[0] ?? 0)
    const found = set.get(workflow, id)
    if (!found || !sees(call)(found.camera)) throw notFound('case')
    return id
  }

  return [
    {
      method: 'POST',
      path: '/api/v1/runs/:id/case',
      permission: 'workflows.manage',
      summary: 'Make a run a case of its workflow; its pictures are kept for as long as it is one',
      body: { expected: 'string', 'note?': 'string|null' },
      answer: CASE,
      handle: async call => {
        const run = runAt(call, engine)
        const sight = new Sight(call.who, engine)
        const workflow = engine.workflow(String(run.workflow.id))
        if (!workflow) throw notFound('workflow')
        sight.demand(workflow)
        const body = await readJsonBody(call.request, MAX_TEXT)
        const expected = field(body, 'expected')
        const note = field(body, 'note') ?? null
        if (typeof expected !== 'string' || (note !== null && typeof note !== 'string'))
          throw new GatehouseError('bad_body', '`expected` must be a text, and so must `note` be.', {
            status: 422,
          })
        return json(await set.add(run.id, expected, note, call.who.author))
      },
    },
    {
      method: 'GET',
      path: '/api/v1/workflows/:id/cases',
      permission: 'workflows.view',
      summary: 'List the cases of a workflow, newest first, each with what came of it last',
      answer: { cases: list(CASE) },
      handle: call => {
        const seen = sees(call)
        return json({
          cases: set.list(workflowAt(call, engine).id).filter(({ camera }) => seen(camera)),
        })
      },
    },
    {
      method: 'GET',
      path: '/api/v1/workflows/:id/cases/:case/picture',
      permission: 'workflows.view',
      summary: 'Read the picture of a case',
      answer: 'image/*',
      handle: async call => {
        const { id } = workflowAt(call, engine)
        const found = await set.picture(id, caseAt(call, id))
        if (!found || !sees(call)(found.camera)) throw notFound('picture')
        const shown = /^image\/(jpeg|png|webp)$/.test(found.type)
        return new Response(new Uint8Array(found.bytes), {
          headers: {
            'content-type': shown ? found.type : 'application/octet-stream',
            'content-disposition': shown ? 'inline' : 'attachment',
            'content-security-policy': "default-src 'none'; sandbox",
            'cache-control': 'private, max-age=3600',
          },
        })
      },
    },
    {
      method: 'DELETE',
      path: '/api/v1/workflows/:id/cases/:case',
      permission: 'workflows.manage',
      summary: 'Take a case away, and its pictures unless a run still has them',
      status: 204,
      handle: async call => {
        const { id } = ownWorkflowAt(call, engine)
        await set.remove(id, caseAt(call, id), call.who.author)
        return new Response(null, { status: 204 })
      },
    },
    {
      method: 'POST',
      path: '/api/v1/workflows/:id/cases/try',
      permission: 'workflows.manage',
      summary: 'Try the version in force on all of its cases, with a line for each as it is done',
      answer: 'application/x-ndjson',
      slow: true,
      handle: call => {
        const { id } = ownWorkflowAt(call, engine)
        return lines(call.request, log, async (say, signal) => {
          const outcome = await set.tryAll(id, {
            signal,
            begins: about => say({ begins: about }),
            tried: one => say({ tried: one }),
          })
          const right = outcome.tried.filter(one => one.right).length
          say({ ended: { tried: outcome.tried.length, right, flipped: outcome.flipped } })
          return undefined
        })
      },
    },
    {
      method: 'GET',
      path: '/api/v1/workflows/:id/cases/export',
      permission: 'workflows.manage',
      summary: 'Take the cases along, as a folder that the eval command reads, in a tar',
      answer: 'application/x-tar',
      handle: call => {
        const { id, slug } = ownWorkflowAt(call, engine)
        // What a site is, and perhaps how its gate opens, is read by whoever may set it.
        const files = set.files(id, sees(call), call.who.may.has('site.manage'))
        const name = slug.replaceAll(/[^a-z0-9_-]/g, '') || 'workflow'
        return new Response(tarOf(files, clock.now()), {
          headers: {
            'content-type': 'application/x-tar',
            'content-disposition': `attachment; filename="${name}-cases.tar"`,
            'cache-control': 'no-store',
          },
        })
      },
    },
  ]
}
