/** What the site has by name, to choose from. */
import { ask } from '../api.ts'

export interface SiteNames {
  /** Camera roles. */
  cameras: readonly string[]
  zones: readonly string[]
  lists: readonly string[]
  roles: readonly string[]
  people: readonly string[]
  modes: readonly string[]
  destinations: readonly string[]
  topics: readonly string[]
  tools: readonly string[]
  schemas: readonly string[]
  apps: Readonly<Record<string, readonly string[]>>
}

export const NO_NAMES: SiteNames = {
  ...{ cameras: [], zones: [], lists: [], roles: [], people: [], modes: [], destinations: [], topics: [] },
  ...{ tools: [], schemas: [], apps: {} },
}

export const getNames = (): Promise<SiteNames> => ask('/workflows/names')

/** What a text of some kind may be, by the name of its parameter; none: it is free. */
export function suggestions(names: SiteNames, kind: string, key: string): readonly string[] {
  switch (key) {
    case 'cameras':
    case 'camera':
    case 'look_at':
      return names.cameras
    case 'list':
      return names.lists
    case 'zone':
    case 'region':
      return names.zones
    case 'who':
      return [...names.roles.map(role => `role:${role}`), ...names.people.map(person => `person:${person}`)]
    case 'schema':
      return names.schemas
    case 'tools':
      return names.tools
    case 'site_mode':
      return names.modes
    case 'labels':
    case 'of':
      return kind === 'value' ? [] : ['person', 'vehicle', 'animal']
    case 'to':
      return { site_mode: names.modes, webhook: names.destinations, mqtt: names.topics }[kind] ?? []
    case 'id':
      return kind === 'app' ? Object.keys(names.apps) : []
    case 'action':
      return kind === 'app' ? [...new Set(Object.values(names.apps).flat())] : []
    default:
      return []
  }
}
