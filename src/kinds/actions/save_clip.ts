import { GatehouseError, iso, messageOf } from '../../core/index.ts'
import type { ActionContext, ActionFunction } from '../types.ts'
import { keepBefore, msOf, type RecordingParams } from './recorded.ts'

/** Where the file does not say how long. */
const USUAL_MS = 10_000

/**
 * Keeps a clip of a camera with the run: its stream from now on, and pictures of what was before the event where a
 * recorder has that. What is not to be had is said, and what is there is kept.
 */
export const saveClip: ActionFunction = {
  again: true,
  async run(params, ctx) {
    const { camera, before, after } = params as RecordingParams
    const cameraId = ctx.room.camera(camera)
    const recorded = await record(cameraId, msOf(after) || USUAL_MS, ctx)
    const earlier = before === undefined ? {} : await keepBefore(cameraId, msOf(before), ctx)
    if (recorded instanceof Error && !Array.isArray(earlier.before)) throw recorded
    const now = recorded instanceof Error ? { clip: `not recorded: ${messageOf(recorded)}` } : recorded
    return { receipt: { camera: cameraId, ...now, ...earlier } }
  },
}

/** The clip as the receipt has it, or why there is none. */
async function record(cameraId: string, ms: number, { world, room, deliveryId, signal }: ActionContext) {
  try {
    const { recorder } = world
    if (!recorder) throw new GatehouseError('not_possible', 'no camera can be recorded from here')
    const clip = await recorder.clip({ cameraId, ms, deliveryId, signal })
    const media = await room.keep(clip)
    const { takenAt, ms: lasted, cut } = clip
    const seconds = Math.round(lasted / 100) / 10
    return { clip: media, from: iso(takenAt), seconds, ...(cut !== null && { cut }) }
  } catch (error) {
    if (signal.aborted || !(error instanceof GatehouseError)) throw error
    return error
  }
}
