import type { RunStatus } from '../rows.ts'
import { QUIET } from './retention.ts'
import { STEPS_PER_RUN } from './step-ids.ts'

/** Which runs are looked for; what is absent leaves all. */
export interface RunFilter {
  workflowId?: number
  /** The id of the last run of the page before. */
  before?: number
  limit: number
  state?: 'test' | 'on'
  statuses?: readonly RunStatus[]
  cameraId?: string
  /** What the last step that judged decided. */
  decision?: string
  /** It told or moved something, or asked a person, for real. */
  acted?: boolean
  /** Begun at or after, and before (epoch ms). */
  since?: number
  until?: number
}

/** The steps of a run are a range of their numbers. */
const OF_RUN = `id BETWEEN workflow_runs.id * ${STEPS_PER_RUN} AND workflow_runs.id * ${STEPS_PER_RUN} + ${STEPS_PER_RUN - 1}`

const JUDGED = `(SELECT outcome FROM workflow_run_steps WHERE ${OF_RUN} AND ai IS NOT NULL ORDER BY id DESC LIMIT 1)`

const ACTED = `(state = 'on' AND EXISTS (SELECT 1 FROM workflow_run_steps WHERE ${OF_RUN}
  AND status = 'done' AND kind NOT IN (${QUIET})))`

/** As SQL over `workflow_runs`; what people give stands in `values` only. */
export function whereOf(filter: RunFilter): { where: string; values: (string | number)[] } {
  const { workflowId, before, state, statuses, cameraId, decision, acted, since, until } = filter
  const parts: string[] = []
  const values: (string | number)[] = []
  const add = (sql: string, ...given: (string | number)[]) => {
    parts.push(sql)
    values.push(...given)
  }
  add('id < ?', before ?? Number.MAX_SAFE_INTEGER)
  if (workflowId !== undefined) add('workflow_id = ?', workflowId)
  if (state !== undefined) add('state = ?', state)
  if (statuses?.length) add(`status IN (${statuses.map(() => '?').join(', ')})`, ...statuses)
  if (cameraId !== undefined) add('camera_id = ?', cameraId)
  if (since !== undefined) add('started_at >= ?', since)
  if (until !== undefined) add('started_at < ?', until)
  if (decision !== undefined) add(`${JUDGED} = ?`, decision)
  if (acted !== undefined) add(acted ? ACTED : `NOT ${ACTED}`)
  return { where: parts.join(' AND '), values }
}
