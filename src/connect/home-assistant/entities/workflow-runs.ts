import type { RunSummary, WorkflowView } from '../../../engine/index.ts'
import type { Entity } from '../entity.ts'

/** What is told of a run. `tried`: a run of a workflow in Test is over; no automation shall take it for a real one. */
export const RUN_EVENTS = ['started', 'waiting', 'done', 'failed', 'unknown', 'stopped', 'tried'] as const
export type RunEvent = (typeof RUN_EVENTS)[number]

/** The runs of a workflow, as they happen. */
export function workflowRuns({ id, name }: WorkflowView): Entity {
  return {
    key: runsKey(id),
    platform: 'event',
    name: `${name} runs`,
    icon: 'mdi:run-fast',
    config: { event_types: [...RUN_EVENTS] },
  }
}

export function runsKey(workflowId: number): string {
  return `workflow_${workflowId}_runs`
}

/** Which event a run is worth now, or null. */
export function runEventOf({ state, status, ended_at: ended }: RunSummary): RunEvent | null {
  if (state === 'test') return ended === null ? null : 'tried'
  if (ended !== null) return status === 'running' || status === 'waiting' ? null : status
  if (status === 'waiting') return 'waiting'
  return status === 'running' ? 'started' : null
}
