import type { DueRow, RunRow, StepRow } from '../store/index.ts'
import { unknownMove } from './notices.ts'
import type { EngineDeps } from './ports.ts'
import { stopped } from './steps/action.ts'
import type { WaitingKind } from './steps/waiting.ts'
import { waitingKind } from './steps/waiting-kinds.ts'
import { isWorse, verdictOf } from './verdict.ts'

/**
 * Stops a run that is not at work. What it waits for ends in the same commit; where it is between two steps, or its
 * wait is over already, it stops as soon as it is taken up. `also`: what the same commit writes besides. Resolves once that is on the disk.
 */
export async function stopAside(id: number, also: (() => void) | null, deps: EngineDeps): Promise<void> {
  const { store, clock } = deps
  const told = await store.write(() => {
    const now = clock.now()
    store.runs.setStop(id, now)
    also?.()
    const step = openIn(store.steps.ofRun(id), 'waiting')
    if (!step) return null
    const due = store.due.ofRun(id).find(({ stepId }) => stepId === step.id)
    const kind = kindOf(step, due ? [due] : [])
    if (kind?.stop?.(step, now, deps) === false) return null
    if (due) store.due.remove(due.id)
    store.steps.end(step.id, { ...stopped(), endedAt: now })
    store.runs.setStatus(id, 'running')
    store.runs.setStop(id, null)
    return () => kind?.stopped?.(step, deps)
  })
  told?.()
}

/** What is left of a run that cannot go on. */
export interface GivenUp {
  /** Ids of what people are told. */
  notices: number[]
  /** Number of the next step, should `always` run now. */
  seq: number
  verdict: 'failed' | 'unknown'
}

/**
 * Closes all that a run has open whose rows are not understood any more: its step, its question, its wait; of a move
 * that had begun nobody knows. `ends`: the run is over with that; else `always` is still to run.
 */
export async function giveUp(row: RunRow, why: string, ends: boolean, deps: EngineDeps): Promise<GivenUp> {
  const { store, clock } = deps
  const { id, cameraId } = row
  const workflow = store.workflows.get(row.workflowId)?.name ?? ''
  const waited = openIn(store.steps.ofRun(id), 'waiting')
  const kind = waited && kindOf(waited, store.due.ofRun(id))
  const given = await store.write(() => {
    const now = clock.now()
    store.due.removeOfRun(id)
    const question = store.approvals.openOf(id)
    if (question) store.approvals.decide(question.id, { status: 'stopped' }, now)
    const intents = store.intents.ofRun(id).filter(each => store.intents.close(each.id, 'unknown', now))
    const moves = new Set(intents.map(({ stepId }) => stepId))
    for (const { id: stepId } of store.steps.ofRun(id).filter(isOpen)) {
      const status = moves.has(stepId) ? 'unknown' : 'failed'
      const result = { code: 'given_up', message: why, ends_path: true, given_up: true }
      store.steps.end(stepId, { status, result, endedAt: now })
    }
    const steps = store.steps.ofRun(id)
    const came = verdictOf(steps)
    const verdict = isWorse(came.verdict, 'failed') ? ('unknown' as const) : ('failed' as const)
    if (ends) store.runs.end(id, verdict, now, why)
    else store.runs.setStatus(id, 'running')
    const notices = intents.map(each =>
      store.notices.add(unknownMove(each, { workflow, cameraId }, why, now)),
    )
    return { notices, seq: (steps.at(-1)?.seq ?? -1) + 1, verdict }
  })
  if (waited) kind?.stopped?.(waited, deps)
  return given
}

/** Whether what runs in any case has begun: it does so once. */
export const hasBegunAlways = (steps: readonly StepRow[]): boolean =>
  steps.some(({ path }) => path.startsWith('always'))

/** What a step waits in. */
function kindOf({ id, kind }: StepRow, due: readonly DueRow[]): WaitingKind | undefined {
  return waitingKind(due.find(({ stepId }) => stepId === id)?.kind ?? kind)
}

function isOpen({ status }: StepRow): boolean {
  return status === 'running' || status === 'waiting'
}

function openIn(steps: readonly StepRow[], status: StepRow['status']): StepRow | null {
  const last = steps.at(-1)
  return last?.status === status ? last : null
}
