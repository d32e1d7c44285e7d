import type { SiteView } from '../contract/index.ts'
import type { SitePort } from '../kinds/index.ts'
import { type CameraScope, isInScope } from './reach.ts'

interface Asked {
  /** Who asks sees these cameras; null: all. */
  scope: CameraScope
  /** What they wrote. */
  text: string
  site: Pick<SitePort, 'rolesOf' | 'camerasWithRole' | 'cameraName'>
}

/**
 * The site as it is told to somebody who is bound to cameras: whatever they name themselves is checked, and of what
 * they do not name nothing is named to them but the roles of their cameras.
 */
export function discreet(view: SiteView, { scope, text, site }: Asked): SiteView {
  if (scope === null) return view
  const named = (name: string) => text.includes(name)
  const only = (names: ReadonlySet<string>) => new Set([...names].filter(named))
  const of = <V>(map: ReadonlyMap<string, V>) => new Map([...map].filter(([name]) => named(name)))
  const theirs = (role: string) =>
    scope.includes(`role:${role}`) || site.camerasWithRole(role).some(id => isInScope(scope, id, site))
  const { zones, topics, unreachable, alertSources } = view
  return {
    ...view,
    roles: new Set([...view.roles].filter(role => named(role) || theirs(role))),
    ...(zones && { zones: new Map([...zones].map(([role, names]) => [role, only(names)])) }),
    lists: only(view.lists),
    people: only(view.people),
    personRoles: only(view.personRoles),
    destinations: of(view.destinations),
    ...(topics && { topics: only(topics) }),
    ...(unreachable && { unreachable: of(unreachable) }),
    apps: of(view.apps),
    ...(alertSources && { alertSources: only(alertSources) }),
  }
}
