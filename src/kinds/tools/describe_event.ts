import { GatehouseError } from '../../core/index.ts'
import type { ToolFunction } from '../types.ts'
import { described, placed } from './camera.ts'

/** Of several pictures the latest. */
const MOST = 3

export const describeEvent: ToolFunction = {
  async run(_args, room, { signal }) {
    const pictures = await room.eventPictures()
    if (!pictures.length) throw new GatehouseError('no_picture', 'no picture came with this event')
    return described(pictures.slice(-MOST), room, signal, placed(room.cameraId, room.site))
  },
}
