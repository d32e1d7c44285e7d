import type { TriggerFunction } from '../types.ts'
import { cameraValues } from './camera.ts'
import { payloadValues } from './payload.ts'

/** An alert of an app or of another workflow. */
export const alert: TriggerFunction = {
  matches(params, event, site) {
    if (event.kind !== 'alert') return null
    if (params.source !== undefined && !listed(params.source, event.source, isFrom)) return null
    if (params.severity !== undefined && !listed(params.severity, event.severity, Object.is)) return null
    const camera = cameraValues(params.cameras, event, site)
    if (!camera) return null
    const values = Object.assign(payloadValues(event.payload), camera)
    if (event.source !== null) values.source = event.source
    if (event.severity !== null) values.severity = event.severity
    return values
  },
}

/**
 * A file says `intrusion-detection` or `workflow.<slug>`, a source says `<kind>.<name>` or just a name. Only the
 * full form names a workflow: one that bears an app's name is not that app.
 */
function isFrom(wanted: string, source: string): boolean {
  if (source === wanted) return true
  return !source.startsWith('workflow.') && source.slice(source.indexOf('.') + 1) === wanted
}

function listed(
  wanted: unknown,
  have: string | null,
  same: (wanted: string, have: string) => boolean,
): boolean {
  if (have === null) return false
  return (Array.isArray(wanted) ? wanted : [wanted]).some(each => same(String(each), have))
}
