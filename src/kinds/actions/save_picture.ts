import { messageOf } from '../../core/index.ts'
import type { ActionFunction } from '../types.ts'
import { msOf, type RecordingParams } from './recorded.ts'

/**
 * Keeps a picture of a camera with the run: of now, of so long after the event, or of so long before it where a recorder
 * has that; where it has not, of now, and says so.
 */
export const savePicture: ActionFunction = {
  again: true,
  async run(params, { room, signal }) {
    const { camera, before, after } = params as RecordingParams
    const cameraId = room.camera(camera)
    const kept: number[] = []
    let lacks: string | null = null
    if (before !== undefined) {
      try {
        kept.push(await room.keep(await room.recorded(cameraId, room.at - msOf(before))))
      } catch (error) {
        signal.throwIfAborted()
        lacks = `not available: ${messageOf(error)}`
      }
    }
    const receipt = { camera: cameraId, ...(lacks !== null && { before: lacks }) }
    if (kept.length && after === undefined) return { receipt: { ...receipt, pictures: kept } }
    await room.until(room.at + msOf(after))
    kept.push(await room.keep(await room.snapshot(cameraId)))
    return { receipt: { ...receipt, pictures: kept } }
  },
}
