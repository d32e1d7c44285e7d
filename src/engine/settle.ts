import { GatehouseError } from '../core/index.ts'
import { note } from './audit.ts'
import { isObject } from './json.ts'
import type { EngineDeps } from './ports.ts'
import type { RunView } from './types.ts'
import { verdictOf } from './verdict.ts'
import { knownRun, runSummary, runView } from './view.ts'

/**
 * A person says whether a move happened of which nobody knows. `seq`: which step, where a run has more than one.
 * A run that has ended is settled with the last of them: it comes to what its steps came to.
 */
export async function settle(
  { store, clock, bus }: Pick<EngineDeps, 'store' | 'clock' | 'bus'>,
  id: number,
  happened: boolean,
  by: string,
  seq?: number,
): Promise<RunView> {
  knownRun(id, store)
  const open = store.intents.ofRun(id).flatMap(intent => {
    const step = intent.status === 'unknown' ? store.steps.get(intent.stepId) : null
    return step ? [{ intent, step }] : []
  })
  if (!open.length) {
    throw new GatehouseError('nothing_unknown', `Run ${id} has no move to settle.`, { status: 409 })
  }
  const which = seq === undefined ? open : open.filter(({ step }) => step.seq === seq)
  const [move] = which
  if (!move || which.length > 1) {
    const steps = open.map(({ step }) => step.seq).join(', ')
    const message = `Name the step of run ${id} that is settled: one of ${steps}.`
    throw new GatehouseError('which_move', message, { status: 409 })
  }
  const { intent, step } = move
  const at = clock.now()
  await store.write(() => {
    // Two people may answer at once: the first counts.
    if (!store.intents.settle(intent.id, at)) return
    const word = happened ? 'move.happened' : 'move.did-not'
    note(word, `run ${id}, step ${step.seq}`, by, { store, clock })
    const { stopped, given_up } = isObject(step.result) ? step.result : {}
    const result = {
      settled: { happened, by, at: new Date(at).toISOString() },
      message: happened ? `${by} says that it happened.` : `${by} says that it did not happen.`,
      // Where the run went on, when nobody knew, stays as it was: the steps behind it are in rows.
      ends_path: true,
      ...(stopped === true && { stopped }),
      ...(given_up === true && { given_up }),
    }
    const status = happened ? 'done' : 'failed'
    store.steps.end(step.id, { status, outcome: step.outcome, result, endedAt: step.endedAt ?? at })
    // A run that goes on is judged at its end.
    const { verdict, error } = verdictOf(store.steps.ofRun(id))
    if (verdict !== 'unknown') store.runs.settle(id, verdict, error)
  })
  const row = knownRun(id, store)
  bus.publish('run', runSummary(row, store))
  return runView(row, store)
}
