import { matches } from '../../contract/index.ts'
import type { TriggerFunction } from '../types.ts'
import { cameraValues } from './camera.ts'
import { payloadValues } from './payload.ts'

/** The one decision that lets in. What only reads like it (`ALLOW`) would fit a matcher, and is a denial. */
const ALLOW = 'allow'
const isText = (value: unknown) => typeof value === 'string' && value.trim() !== ''

/** A domain event of one schema, of cameras by role, whose payload fits. */
export const event: TriggerFunction = {
  matches(params, event, site) {
    if (event.schema === null || event.schema !== params.schema) return null
    const camera = cameraValues(params.cameras, event, site)
    if (!camera) return null
    // A plate event without its plate is none, from wherever it comes.
    if (event.schema === 'plate.recognized.v1' && !isText(event.payload.plate_text)) return null
    const values = payloadValues(event.payload)
    if (event.schema === 'access.decided.v1' && values.decision !== ALLOW && matches(ALLOW, values.decision))
      values.decision = 'deny'
    for (const [field, matcher] of Object.entries(params.where ?? {})) {
      if (!matches(matcher, values[field])) return null
    }
    return Object.assign(values, camera)
  },
}
