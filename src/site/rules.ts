/**
 * The site's rules as they are set on the page. The site file is the base that whoever installs the box ships; what
 * is set here lies over it, each list, person and camera for itself, and wins.
 */
import { type Static, Type } from '@sinclair/typebox'
import { GatehouseError } from '../core/index.ts'
import { differences } from './check.ts'
import { MOST_ENTRIES } from './csv.ts'
import { byName, closed, destinations, names, type SiteData, SiteSchema, text, toolModes } from './schema.ts'
import type { ListEntry } from './types.ts'
import type { Plain } from './yaml.ts'

const entry = Type.Union(
  [text, closed({ value: text, note: Type.Optional(text) }, 'an entry: value, note')],
  { expects: 'a text, or { value, note }' },
)

const RulesSchema = closed(
  {
    facts: SiteSchema.properties.facts,
    modes: SiteSchema.properties.modes,
    people: SiteSchema.properties.people,
    lists: Type.Optional(
      byName(
        Type.Array(entry, { maxItems: MOST_ENTRIES, expects: `a list of at most ${MOST_ENTRIES} entries` }),
        'lists by name',
      ),
    ),
    camera_roles: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$' }), names, {
        additionalProperties: false,
        expects: 'roles by camera id',
      }),
    ),
    tools: Type.Optional(toolModes),
    destinations: Type.Optional(destinations),
  },
  'rules: facts, modes, people, lists, camera_roles, tools, destinations',
)

/** What is set on this box; what is not named is as the site file says. */
export type Rules = Static<typeof RulesSchema>

/** Rules out of a request. Throws `rules_invalid`, with the first thing that is wrong. */
export function readRules(data: unknown): Rules {
  const whole = JSON.parse(JSON.stringify(data ?? null)) as Plain
  const [first, ...more] = differences(RulesSchema, whole)
  if (first?.pointer === '') throw invalid(`\`set\` must be ${RulesSchema.expects}.`)
  if (first) throw invalid(`${first.message}${more.length ? ` (and ${more.length} more)` : ''}`)
  return whole as Rules
}

/** The error for rules that cannot be; `message` says what to change. */
export function invalid(message: string): GatehouseError {
  return new GatehouseError('rules_invalid', message, { status: 422 })
}

/** The site file's data with the rules over it. */
export function laidOver(data: SiteData, rules: Rules): SiteData {
  const { cameras = {} } = data
  const roled = Object.entries(rules.camera_roles ?? {}).filter(([id]) => Object.hasOwn(cameras, id))
  return {
    ...data,
    ...(rules.facts !== undefined && { facts: rules.facts }),
    ...(rules.modes !== undefined && { modes: rules.modes }),
    people: peopleOver(data.people, rules.people),
    lists: { ...data.lists, ...valuesOf(rules.lists ?? {}) },
    tools: { ...data.tools, ...rules.tools },
    destinations: destinationsOver(data.destinations, rules.destinations),
    cameras: {
      ...cameras,
      ...Object.fromEntries(roled.map(([id, roles]) => [id, { ...cameras[id], roles }])),
    },
  }
}

type People = NonNullable<SiteData['people']>

/** How somebody is told stays as the site file says where it is not set here. */
function peopleOver(file: People = {}, set: People = {}): People {
  const people = { ...file }
  for (const [name, person] of Object.entries(set)) {
    const { channels, quiet_hours } = (Object.hasOwn(file, name) && file[name]) || {}
    people[name] = { ...(channels && { channels }), ...(quiet_hours && { quiet_hours }), ...person }
  }
  return people
}

type Destinations = NonNullable<SiteData['destinations']>

/** Where only what a destination does is set here, it goes where the site file says, as the site file says. */
function destinationsOver(file: Destinations = {}, set: Destinations = {}): Destinations {
  const destinations = { ...file }
  for (const [name, destination] of Object.entries(set)) {
    const listed = Object.hasOwn(file, name) ? file[name] : undefined
    const isElsewhere = destination.url !== undefined || destination.topic !== undefined
    destinations[name] = listed && !isElsewhere ? { ...listed, ...destination } : destination
  }
  return destinations
}

/** The entries of a list, each with its note where it has one. */
export function entriesOf(list: NonNullable<Rules['lists']>[string]): ListEntry[] {
  return list.map(each => (typeof each === 'string' ? { value: each } : each))
}

function valuesOf(lists: NonNullable<Rules['lists']>): { [name: string]: string[] } {
  return Object.fromEntries(
    Object.entries(lists).map(([name, list]) => [name, entriesOf(list).map(({ value }) => value)]),
  )
}
