import { fillNeeds, RENAMED, type Workflow } from '../contract/index.ts'
import type { SitePort } from '../kinds/index.ts'
import { discreet } from './discreet.ts'
import { type CameraScope, isInScope } from './reach.ts'

/** A name of another site that a file rests on. */
export interface Wanted {
  what: (typeof RENAMED)[number]
  name: string
  /** This site has one of that name. */
  here: boolean
  /** What this site has in its place; `says`: what that is, for people. */
  choices: { name: string; says: string | null }[]
}

/** The names that a file rests on, and which of this site could stand in their place. */
export function wantedOf(
  workflow: Workflow,
  site: SitePort,
  { slug, yaml, scope }: { slug: string; yaml: string; scope: CameraScope },
): Wanted[] {
  const view = discreet(site.view(slug), { scope, text: yaml, site })
  const needs = fillNeeds(workflow, view)
  const cameras = (role: string) =>
    site
      .camerasWithRole(role)
      .filter(id => isInScope(scope, id, site))
      .map(id => site.cameraName(id) ?? id)
  const all: Record<Wanted['what'], Wanted['choices']> = {
    cameras: [...view.roles]
      .map(role => ({ name: role, says: cameras(role).join(', ') || null }))
      .filter(({ says }) => says !== null),
    lists: [...view.lists].map(name => ({ name, says: null })),
    roles: [...view.personRoles].map(name => ({ name, says: null })),
    destinations: [...view.destinations].map(([name, effect]) => ({ name, says: effect })),
  }
  return RENAMED.flatMap(what => {
    const choices = all[what].sort((a, b) => (a.name < b.name ? -1 : 1))
    const wanted = needs[what] ?? []
    const names = Array.isArray(wanted) ? wanted : Object.keys(wanted)
    return names.map(name => ({ what, name, here: choices.some(each => each.name === name), choices }))
  })
}
