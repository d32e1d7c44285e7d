import { GatehouseError } from '../../core/index.ts'
import type { LearningApi, TryOutcome, TryWatcher } from '../../engine/index.ts'
import { field, MAX_TEXT, readJsonBody, truthIn, wholeIn } from '../body.ts'
import { ownWorkflowAt, runAt, workflowAt } from '../find.ts'
import { lines } from '../lines.ts'
import type { WebDeps } from '../ports.ts'
import { notFound } from '../problem.ts'
import { isIn } from '../query.ts'
import { type Call, json, type Route } from '../route.ts'
import { faulty, saved } from '../saved.ts'
import { list, RUN, SAVED, TRY, VERSION } from '../schemas/index.ts'
import { reachOf } from '../sight.ts'
import { readYaml, readYamlIfAny } from '../yaml-body.ts'

const WATCH = { 'watch?': ['true', 'false'] } as const

/** Marks on runs, and the versions of a workflow with what was marked of each. */
export function learningRoutes({ engine, log }: WebDeps): Route[] {
  const find = (call: Call): number => workflowAt(call, engine).id
  const own = (call: Call): number => ownWorkflowAt(call, engine).id

  /** All at once, or line by line to whoever watches: leaving ends it. */
  const tryOut = async ({ request, query }: Call, what: Parameters<LearningApi['try']>[0]) => {
    if (!isIn(query, 'watch')) return tried(await engine.learning.try(what))
    return lines(request, log, async (say, signal) => {
      const watcher: TryWatcher = {
        signal,
        begins: about => say({ begins: about }),
        tried: one => say({ tried: one }),
      }
      const outcome = await engine.learning.try({ ...what, watcher })
      if (!outcome.ok) return tried(outcome)
      say({ ended: { tried: outcome.tried.length, flipped: outcome.flipped } })
      return undefined
    })
  }

  return [
    {
      method: 'POST',
      path: '/api/v1/workflows/runs/:id/mark',
      permission: 'workflows.approve',
      summary: 'Say whether a run was right',
      body: { right: 'boolean', 'note?': 'string|null' },
      answer: RUN,
      handle: async call => {
        const { id } = runAt(call, engine)
        const body = await readJsonBody(call.request, MAX_TEXT)
        const right = truthIn(body, 'right')
        const note = field(body, 'note') ?? null
        if (note !== null && typeof note !== 'string')
          throw new GatehouseError('bad_body', '`note` must be a text.', { status: 422 })
        return json(await engine.learning.mark(id, right, note, call.who.author))
      },
    },
    {
      method: 'POST',
      path: '/api/v1/workflows/try',
      permission: 'workflows.manage',
      summary: 'Try a file on events of the past; watched, with a line for each as it is done',
      query: WATCH,
      slow: true,
      body: 'yaml',
      answer: TRY,
      handle: async call => tryOut(call, { yaml: await readYaml(call.request), reach: reachOf(call.who) }),
    },
    {
      method: 'POST',
      path: '/api/v1/workflows/:id/try',
      permission: 'workflows.manage',
      summary:
        'Try a workflow, or a draft of it, on its events of the past; watched, with a line for each as it is done',
      query: WATCH,
      slow: true,
      body: 'yaml?',
      answer: TRY,
      handle: async call => {
        const id = own(call)
        const yaml = await readYamlIfAny(call.request)
        const reach = reachOf(call.who)
        return tryOut(call, { id, reach, ...(yaml !== null && { yaml }) })
      },
    },
    {
      method: 'GET',
      path: '/api/v1/workflows/:id/versions',
      permission: 'workflows.view',
      summary: 'List the versions of a workflow',
      answer: { versions: list(VERSION) },
      handle: call => json({ versions: engine.learning.versions(find(call)) }),
    },
    {
      method: 'GET',
      path: '/api/v1/workflows/:id/versions/:version',
      permission: 'workflows.view',
      summary: 'Read the file of a version',
      answer: { version: 'integer', yaml: 'string' },
      handle: call => {
        const version = versionOf(call.params.version)
        if (version === null) throw notFound('version')
        return json({ version, yaml: engine.learning.yamlOf(find(call), version) })
      },
    },
    {
      method: 'POST',
      path: '/api/v1/workflows/:id/rollback',
      permission: 'workflows.manage',
      summary:
        'Make an old version the newest; 409 where another version than the one named as `over` is in force by now',
      body: { version: 'integer', 'over?': 'integer|null' },
      answer: SAVED,
      handle: async call => {
        const id = own(call)
        const body = await readJsonBody(call.request, MAX_TEXT)
        const version = versionOf(field(body, 'version'))
        const over = wholeIn(body, 'over', 1) ?? undefined
        if (version === null)
          throw new GatehouseError('bad_body', '`version` must be the number of a version.', { status: 422 })
        const reach = reachOf(call.who)
        const restored = await engine.rollback(id, version, call.who.author, { reach, ...(over && { over }) })
        return saved(restored, 200, version)
      },
    },
  ]
}

function tried(outcome: TryOutcome): Response {
  if (!outcome.ok) return faulty(outcome.problems, 'nothing was tried')
  const { ok: _, ...result } = outcome
  return json(result)
}

function versionOf(value: unknown): number | null {
  return /^[1-9]\d{0,8}$/.test(String(value)) ? Number(value) : null
}
