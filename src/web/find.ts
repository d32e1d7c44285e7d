/** What an address names, or 404. */
import type { RunView, WorkflowView } from '../engine/index.ts'
import type { WebDeps } from './ports.ts'
import { notFound } from './problem.ts'
import { type Call, idOf, type Shape } from './route.ts'

type Engine = WebDeps['engine']

/** What is always there in the answer that is a run. */
export const RUN: Shape = {
  id: 'integer',
  workflow: 'object',
  state: ['test', 'on'],
  status: 'string',
  steps: 'array',
  pictures: 'array',
}

/** The run of `:id`. Throws 404. */
export function runAt(call: Call, engine: Engine): RunView {
  const run = engine.run(idOf(call, 'run'))
  if (!run) throw notFound('run')
  return run
}

/** The workflow of `:id`, by number or slug. Throws 404. */
export function workflowAt(call: Call, engine: Engine): WorkflowView {
  const workflow = engine.workflow(call.params.id ?? '')
  if (!workflow) throw notFound('workflow')
  return workflow
}
