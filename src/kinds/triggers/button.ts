import type { TriggerFunction } from '../types.ts'
import { cameraValues } from './camera.ts'

/** Somebody pressed this workflow's button; `pressed_by` is there when the box knows who. */
export const button: TriggerFunction = {
  matches(_params, event, site) {
    if (event.kind !== 'button') return null
    const values = cameraValues(undefined, event, site)
    if (values && event.by) values.pressed_by = event.by.name
    return values
  },
}
