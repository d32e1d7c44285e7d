import { GatehouseError, type Picture } from '../core/index.ts'
import type { ActionRoom } from '../kinds/index.ts'
import { cameraFor } from './camera-for.ts'
import type { EngineDeps } from './ports.ts'
import { keep, keepClip } from './steps/keep-picture.ts'
import { pause } from './time.ts'

/** How long a camera, or who has recorded it, may take to give a picture. */
const PICTURE_MS = 15_000

/** Of which run, and of which step of it. */
interface About {
  runId: number
  stepId: number
  cameraId: string | null
  /** When what started it was observed (epoch ms). */
  at: number
  signal: AbortSignal
}

/** What an action knows of its run, and leaves with it. `onKept`: a picture or a clip is on the disk. */
export function actionRoom(
  { runId, stepId, cameraId, at, signal }: About,
  deps: EngineDeps,
  onKept: (what: 'picture' | 'clip', media: number) => void = () => undefined,
): ActionRoom {
  const { clock, cameras, site } = deps
  const within = async (ask: (signal: AbortSignal) => Promise<Picture>) => {
    const late = new AbortController()
    const cancel = clock.after(PICTURE_MS, () => late.abort())
    return ask(AbortSignal.any([signal, late.signal])).finally(cancel)
  }
  return {
    at,
    until: async to => {
      const ms = to - clock.now()
      if (ms > 0) await pause(clock, ms, signal)
      signal.throwIfAborted()
    },
    camera: role => {
      const found = role === undefined ? cameraId : cameraFor(role, cameraId, site())
      if (found !== null) return found
      const message =
        role === undefined
          ? 'What started this has no camera: name one under camera.'
          : `No camera bears the role ${role}.`
      throw new GatehouseError('camera_unknown', message)
    },
    snapshot: camera => within(inTime => cameras.snapshot(camera, { signal: inTime })),
    recorded: (camera, then) => within(inTime => recorded(camera, then, inTime, deps)),
    keep: async what => {
      const isClip = 'file' in what
      const media = isClip ? await keepClip(what, runId, stepId, deps) : await keep(what, runId, stepId, deps)
      onKept(isClip ? 'clip' : 'picture', media)
      return media
    },
  }
}

async function recorded(
  cameraId: string,
  at: number,
  signal: AbortSignal,
  { tools }: EngineDeps,
): Promise<Picture> {
  const archive = tools?.archive ?? null
  const lacks = archive ? archive.lacks : 'nothing on this site has recordings'
  if (lacks !== null) throw new GatehouseError('not_recorded', lacks)
  const picture = await archive?.frame(cameraId, at, { signal })
  if (!picture) throw new GatehouseError('not_recorded', 'nothing was recorded then')
  return picture
}

/** When what started a run was observed: its event says so. */
export function observedAt({ event, startedAt }: { event: { at?: unknown }; startedAt: number }): number {
  return typeof event.at === 'number' ? event.at : startedAt
}
