import type { ConditionFunction } from '../types.ts'

/** The camera of the run bears one of the roles. */
export const camera: ConditionFunction = {
  holds(params, { cameraId, site }) {
    if (cameraId === null) return false
    const roles = site.rolesOf(cameraId)
    return (Array.isArray(params) ? params : [params]).some(role => roles.includes(role))
  },
}
