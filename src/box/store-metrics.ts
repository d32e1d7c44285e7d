import type { Inference } from '../inference/index.ts'
import type { Store } from '../store/index.ts'
import { byLabel, type Metric } from '../web/index.ts'

/** What the store and the inference process have counted since the start, and what waits in them now. */
export function metricsOf(store: Store, inference: Inference): Metric[] {
  const { started, ended } = store.runs.counts
  const { commits, jobs, failed } = store.counts
  const { restarts, pending } = inference.status()
  const one = (name: string, help: string, type: Metric['type'], value: number): Metric => ({
    ...{ name, help, type },
    values: [{ value }],
  })
  return [
    one('runs_started_total', 'Runs that began.', 'counter', started),
    byLabel('runs_ended_total', 'Runs that ended, by status.', 'counter', 'status', ended),
    byLabel('runs', 'Runs that go on, by status.', 'gauge', 'status', store.runs.unfinishedByStatus()),
    one('moves_unsettled', 'Moves of which nobody knows yet.', 'gauge', store.intents.unknown()),
    byLabel('due', 'Rows that wait for their time, by kind.', 'gauge', 'kind', store.due.countByKind()),
    one('store_commits_total', 'Commits to the disk.', 'counter', commits),
    one('store_jobs_total', 'Writes in these commits.', 'counter', jobs),
    one('store_jobs_failed_total', 'Writes that failed.', 'counter', failed),
    one('store_checkpoints_total', 'Copies of the log into the file.', 'counter', store.checkpoints.done),
    one('store_checkpoints_failed_total', 'Copies that failed.', 'counter', store.checkpoints.failed),
    one('inference_restarts_total', 'Starts of the inference process after it ended.', 'counter', restarts),
    one('inference_pending', 'Jobs that wait for it or run in it.', 'gauge', pending),
  ]
}
