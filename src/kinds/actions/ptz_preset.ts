import { GatehouseError } from '../../core/index.ts'
import type { ActionFunction } from '../types.ts'
import { attempt } from './attempt.ts'

interface Params {
  camera?: string
  preset: string
}

/** Turns a camera to one of its presets, once: later it may be needed where it is. */
export const ptzPreset: ActionFunction = {
  async run(params, { room, effect, world, deliveryId, signal }) {
    const { camera, preset } = params as Params
    const { turner } = world
    if (!turner) throw new GatehouseError('not_possible', 'No camera can be turned from here.')
    const cameraId = room.camera(camera)
    await attempt(effect, () => turner.turn({ cameraId, preset, deliveryId, signal }))
    return { receipt: { camera: cameraId, preset } }
  },
}
