import type { Json } from '../../contract/index.ts'
import type { IncomingEvent } from '../../core/index.ts'
import type { SitePort, Values } from '../types.ts'

/**
 * The camera of an event as values: `camera` is the role that the file asked for, else the camera's first role,
 * else its id. Null where the file asks for roles and this camera bears none of them.
 */
export function cameraValues(roles: Json | undefined, event: IncomingEvent, site: SitePort): Values | null {
  const values: Values = Object.create(null)
  const { cameraId } = event
  if (cameraId === null) return Array.isArray(roles) ? null : values
  const borne = site.rolesOf(cameraId)
  const role = Array.isArray(roles)
    ? roles.find(each => borne.includes(String(each)))
    : (borne[0] ?? cameraId)
  if (role === undefined) return null
  values.camera = role
  values.camera_name = site.cameraName(cameraId) ?? cameraId
  values.camera_id = cameraId
  return values
}
