/** What an address names, as whoever asks may see it, or 404. */
import type { EngineApi, RunSummary, RunView, WorkflowView } from '../engine/index.ts'
import { notFound } from './problem.ts'
import { type Call, idOf } from './route.ts'
import { RUN_QUERY, runFilterIn } from './run-query.ts'
import { Sight } from './sight.ts'

/** Runs that are looked through for a page of those that are to be seen. */
const MOST_LOOKED_THROUGH = 2_000

export { RUN_QUERY }

/** The run of `:id`. Throws 404. */
export function runAt(call: Call, engine: EngineApi): RunView {
  const run = engine.run(idOf(call, 'run'))
  if (!run || !new Sight(call.who, engine).run(run.id)) throw notFound('run')
  return run
}

/** The workflow of `:id`, by number or slug. Throws 404. */
export function workflowAt(call: Call, engine: EngineApi): WorkflowView {
  const workflow = engine.workflow(call.params.id ?? '')
  const seen = workflow && new Sight(call.who, engine).workflow(workflow)
  if (!seen) throw notFound('workflow')
  return seen
}

/** The same, to change it. Throws 403 too. */
export function ownWorkflowAt(call: Call, engine: EngineApi): WorkflowView {
  const workflow = workflowAt(call, engine)
  new Sight(call.who, engine).demand(workflow)
  return workflow
}

/** Newest first; `next` is what to give as `before` for the page after this one. */
export function pageOfRuns({ query, who }: Call, engine: EngineApi, workflowId?: number) {
  return runsSeen(new Sight(who, engine), engine, {
    ...runFilterIn(query),
    ...(workflowId !== undefined && { workflowId }),
  })
}

/** Runs that are to be seen, newest first: as many as are asked for, as far as those are found soon. */
export function runsSeen(
  sight: Sight,
  engine: EngineApi,
  filter: Parameters<EngineApi['runs']>[0],
): { runs: RunSummary[]; next: number | null } {
  const runs: RunSummary[] = []
  let { before } = filter
  for (let looked = 0; looked < MOST_LOOKED_THROUGH; ) {
    const page = engine.runs({ ...filter, ...(before !== undefined && { before }) })
    const seen = sight.runs(page)
    const room = filter.limit - runs.length
    runs.push(...seen.slice(0, room))
    if (runs.length >= filter.limit) return { runs, next: runs.at(-1)?.id ?? null }
    if (page.length < filter.limit) return { runs, next: null }
    before = page.at(-1)?.id
    looked += page.length
  }
  return { runs, next: before ?? null }
}
