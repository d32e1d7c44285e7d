import { GatehouseError } from '../core/index.ts'
import type { EngineDeps } from './ports.ts'
import type { RunView } from './types.ts'
import { knownRun, runSummary, runView } from './view.ts'

/**
 * A person says whether a move happened of which nobody knows. `seq`: which step, where a run has more than one.
 * The run is settled with the last of them: done if all of them happened.
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
    const result = { settled: { happened, by, at: new Date(at).toISOString() } }
    const status = happened ? 'done' : 'failed'
    store.steps.end(step.id, { status, outcome: step.outcome, result, endedAt: step.endedAt ?? at })
    const moves = store.intents.ofRun(id)
    if (moves.some(each => each.status === 'unknown')) return
    const failed = moves.some(each => store.steps.get(each.stepId)?.status === 'failed')
    store.runs.settle(id, failed ? 'failed' : 'done')
  })
  const row = knownRun(id, store)
  bus.publish('run', runSummary(row, store))
  return runView(row, store)
}
