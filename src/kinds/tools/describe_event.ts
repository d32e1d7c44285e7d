import { GatehouseError } from '../../core/index.ts'
import type { ToolFunction } from '../types.ts'
import { described, placed } from './camera.ts'
import { recordedFrame } from './known-events.ts'

/** Of several pictures the latest. */
const MOST = 3

export const describeEvent: ToolFunction = {
  async run(_args, room, { signal }) {
    const { cameraId, site } = room
    const pictures = await room.eventPictures()
    const camera = placed(cameraId, site)
    if (pictures.length) return described(pictures.slice(-MOST), room, signal, camera)
    const recorded = cameraId === null ? null : await recordedFrame(cameraId, room.eventAt, room, signal)
    if (!recorded) throw new GatehouseError('no_picture', 'no picture came with this event')
    const picture = { ref: await room.keep(recorded), picture: recorded }
    return described([picture], room, signal, { ...camera, from: 'what was recorded then' })
  },
}
