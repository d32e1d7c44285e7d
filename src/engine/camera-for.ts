import type { SitePort } from '../kinds/index.ts'

/**
 * The camera that a file means by a role: the event's where it bears it, else the first that does; a loop over
 * several cameras of one role names each by its id. Null: there is none.
 */
export function cameraFor(role: string, eventCamera: string | null, site: SitePort): string | null {
  if (eventCamera !== null && site.rolesOf(eventCamera).includes(role)) return eventCamera
  return site.camerasWithRole(role)[0] ?? (site.cameraName(role) === null ? null : role)
}
