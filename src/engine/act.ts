import { effectOf, permitted } from './moves.ts'
import type { EngineDeps } from './ports.ts'
import type { Run } from './run.ts'
import type { Begun } from './step-rows.ts'
import { type Acted, failed, runAction } from './steps/action.ts'

/** Does what a begun action is about, if it may be done at this very moment. */
export async function act(
  run: Run,
  { node, id, seq, inputs, intent }: Begun,
  boxId: string,
  deps: EngineDeps,
): Promise<Acted> {
  const site = deps.site()
  const refused = (code: string, why: string): Acted => ({ ended: failed(code, why, true), notice: null })
  if (intent !== null) {
    const permit = permitted(run, node, site, deps.siteMode.get(), deps.clock.now())
    if (!permit.ok) return refused(permit.code, permit.message)
  } else if (effectOf(run, node, site) === 'move') {
    // It began as a message, before a restart maybe: by now the site says that it moves something.
    const why = 'What it goes to moves something by now, and nothing guards that: it was not done.'
    return refused('not_informing', why)
  }
  const effect = intent === null ? 'tell' : 'move'
  return runAction(run, node, { id, seq, inputs, effect }, boxId, deps)
}
