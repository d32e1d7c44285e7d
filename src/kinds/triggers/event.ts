import { matches } from '../../contract/index.ts'
import type { TriggerFunction } from '../types.ts'
import { cameraValues } from './camera.ts'
import { payloadValues } from './payload.ts'

/** A domain event of one schema, of cameras by role, whose payload fits. */
export const event: TriggerFunction = {
  matches(params, event, site) {
    if (event.schema === null || event.schema !== params.schema) return null
    const camera = cameraValues(params.cameras, event, site)
    if (!camera) return null
    const values = payloadValues(event.payload)
    for (const [field, matcher] of Object.entries(params.where ?? {})) {
      if (!matches(matcher, values[field])) return null
    }
    return Object.assign(values, camera)
  },
}
