import { iso } from '../core/index.ts'
import { giveUp } from './end-early.ts'
import { boxAlert } from './notices.ts'
import type { EngineDeps } from './ports.ts'

/**
 * At a start from an older state of this box (a copy, a backup): nobody knows what it did since. What was under way then
 * is over, nothing that was due then is done a second time, and moves are paused until a person has looked: what was
 * switched off since may be on again.
 */
export async function settleRestored(deps: EngineDeps): Promise<void> {
  const { store, clock, log } = deps
  const restored = store.restored.get()
  if (!restored) return
  const of = iso(restored.of)
  const why = `The box went back to its state of ${of}: what it had begun by then is over, what it did since is not known.`
  for (const row of store.runs.unfinished()) await giveUp(row, why, true, deps)
  await store.write(() => {
    const now = clock.now()
    store.meta.set('pause', JSON.stringify({ by: 'the box', at: now }))
    const before =
      restored.aside === null ? '' : ` What was there before lies in ${restored.aside} of the data folder.`
    const body =
      `${restored.why} It is now as it was at ${of}; what was set, asked and decided since is lost, and everybody has to ` +
      `sign in again.${before} Look through the workflows, users and tokens, then let moves go on: they are paused.`
    const title = 'The box was put back to an older state; moves are paused'
    store.notices.add(boxAlert({ runId: null, stepId: null, cameraId: null, title, body, createdAt: now }))
    store.restored.forget(why)
  })
  log.error({ of, why: restored.why }, 'this is an older state of the box: moves are paused')
}
