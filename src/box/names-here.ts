import { eventSchemas } from '../contract/index.ts'
import type { Site } from '../site/index.ts'
import type { NamesHere } from '../web/index.ts'

/** What a file may name at this site. */
export function namesHere(site: Site): NamesHere {
  const { lists, personRoles, people, destinations, topics = new Set(), tools, apps } = site.view()
  return {
    cameras: site.cameras.map(({ id, roles, zones }) => ({ id, roles, zones: [...zones.keys()] })),
    lists: [...lists],
    roles: [...personRoles],
    people: [...people],
    modes: [...site.modes],
    destinations: [...destinations.keys()].filter(name => !topics.has(name)),
    topics: [...topics],
    tools: [...tools],
    schemas: eventSchemas().map(({ schema }) => schema),
    apps: Object.fromEntries([...apps].map(([id, actions]) => [id, [...actions.keys()]])),
  }
}
