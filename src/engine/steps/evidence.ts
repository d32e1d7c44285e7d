import { type JsonValue, messageOf } from '../../core/index.ts'
import type { EngineDeps } from '../ports.ts'
import type { Run, RunPicture } from '../run.ts'
import { keep } from './keep-picture.ts'

/** How long whoever keeps pictures of events may take. */
const PATIENCE_MS = 5_000

/** When the event of a run was observed (epoch ms). */
export function eventAt({ facts }: Run): number {
  const at = Date.parse(String(facts.event.at))
  return Number.isNaN(at) ? facts.startedAt : at
}

/**
 * The pictures that somebody else keeps of the run's event, kept with the step that asked; none where there are none
 * or nobody could be asked: the cameras are still there.
 */
export async function evidenceOf(run: Run, stepId: number, deps: EngineDeps): Promise<RunPicture[]> {
  const archive = deps.tools?.archive
  if (!archive || archive.lacks !== null) return []
  run.evidence ??= await fetched(run, stepId, archive, deps)
  return run.evidence
}

async function fetched(
  run: Run,
  stepId: number,
  archive: NonNullable<NonNullable<EngineDeps['tools']>['archive']>,
  deps: EngineDeps,
): Promise<RunPicture[]> {
  const late = new AbortController()
  const cancel = deps.clock.after(PATIENCE_MS, () => late.abort())
  const payload = (run.facts.event.payload ?? null) as JsonValue
  try {
    const signal = AbortSignal.any([run.signal, late.signal])
    const { cameraId } = run.facts
    const picture = await archive.evidence({ at: eventAt(run), payload, cameraId }, { signal })
    return picture ? [{ media: await keep(picture, run.id, stepId, deps), picture }] : []
  } catch (error) {
    deps.log.debug({ run: run.id, error: messageOf(error) }, 'no picture of the event could be fetched')
    return []
  } finally {
    cancel()
  }
}
