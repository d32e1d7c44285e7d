import { parseDuration } from '../../contract/index.ts'
import type { TriggerFunction } from '../types.ts'
import { cameraValues } from './camera.ts'

/** A camera has given no picture for as long as the workflow waits for. */
export const cameraOffline: TriggerFunction = {
  matches(params, event, site) {
    // Only the box itself says so, to one workflow: it may move something.
    if (event.kind !== 'camera_offline' || event.workflowId === null) return null
    const values = cameraValues(params.cameras, event, site)
    const least = (parseDuration(String(params.for)) ?? 0) / 1000
    const { offline_seconds: given } = event.payload
    // Whoever tries the workflow by hand does not have to say for how long.
    const seconds = typeof given === 'number' ? given : least
    if (!values || seconds < least) return null
    return Object.assign(values, { offline_seconds: seconds })
  },
}
