import type { TriggerFunction } from '../types.ts'
import { cameraValues } from './camera.ts'
import { payloadValues } from './payload.ts'

/** A call of this workflow's secret address; what it brought are values. */
export const webhook: TriggerFunction = {
  matches(_params, event, site) {
    if (event.kind !== 'webhook') return null
    const camera = cameraValues(undefined, event, site)
    return camera && Object.assign(payloadValues(event.payload), camera)
  },
}
