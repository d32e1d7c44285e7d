import type { AppAction, Effect, SiteView } from '../contract/index.ts'
import type { JsonValue } from '../core/index.ts'
import type { KnownApp } from './types.ts'

/**
 * What may be asked of apps: what their manifests say, and over it what the site file lists; of what both know the site
 * file's class counts.
 */
export function appsView(
  listed: ReadonlyMap<string, ReadonlyMap<string, Effect>>,
  known: readonly KnownApp[] | null,
): SiteView['apps'] {
  const apps = new Map<string, Map<string, AppAction>>()
  for (const { id, actions } of known ?? [])
    apps.set(id, new Map([...actions].map(([name, { informing, params }]) => [name, { informing, params }])))
  for (const [id, actions] of listed) {
    const app = apps.get(id) ?? new Map<string, AppAction>()
    for (const [name, effect] of actions) app.set(name, { ...app.get(name), informing: effect !== 'move' })
    apps.set(id, app)
  }
  return apps
}

/** The apps of a site for whoever writes workflows: what each does, by the class that is in force. */
export function appsJson(site: { view(): SiteView; readonly apps: readonly KnownApp[] | null }): JsonValue {
  const known = new Map(site.apps?.map(app => [app.id, app]))
  return [...site.view().apps].map(([id, actions]) => ({
    id,
    name: known.get(id)?.name ?? id,
    raises_alerts: known.get(id)?.raises ?? null,
    actions: [...actions].map(([name, { informing, params }]) => ({
      name,
      label: known.get(id)?.actions.get(name)?.label ?? name,
      effect: informing ? 'tell' : 'move',
      params: params
        ? [...params].map(([param, it]) => ({ name: param, ...it, choices: it.choices && [...it.choices] }))
        : null,
    })),
  }))
}
