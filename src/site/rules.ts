/**
 * The site's rules as they are set on the page. The site file is the base that whoever installs the box ships; what
 * is set here lies over it, each list, person and camera for itself, and wins.
 */
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { GatehouseError } from '../core/index.ts'
import { CameraSchema, masksSchema, zonesSchema } from './camera.ts'
import { differences } from './check.ts'
import { MOST_ENTRIES } from './csv.ts'
import { byName, closed, destinations, names, type SiteData, SiteSchema, text, toolModes } from './schema.ts'
import type { ListEntry } from './types.ts'
import type { Plain } from './yaml.ts'

const entry = Type.Union(
  [text, closed({ value: text, note: Type.Optional(text) }, 'an entry: value, note')],
  { expects: 'a text, or { value, note }' },
)

const CAMERA = '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$'
const MOST_CAMERAS = 256
/** A camera that is set on the box names the secrets that were written for cameras, and no others. */
const CAMERA_SECRET = /^camera-[a-z0-9_-]+$/

const byCamera = <S extends TSchema>(schema: S, expects: string) =>
  Type.Record(Type.String({ pattern: CAMERA }), schema, { additionalProperties: false, expects })

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
    camera_roles: Type.Optional(byCamera(names, 'roles by camera id')),
    cameras: Type.Optional(
      Type.Record(Type.String({ pattern: CAMERA }), CameraSchema, {
        additionalProperties: false,
        maxProperties: MOST_CAMERAS,
        expects: `at most ${MOST_CAMERAS} cameras by id`,
      }),
    ),
    zones: Type.Optional(byCamera(zonesSchema, 'zones by camera id')),
    masks: Type.Optional(byCamera(masksSchema, 'masks by camera id')),
    tools: Type.Optional(toolModes),
    destinations: Type.Optional(destinations),
  },
  'rules: facts, modes, people, lists, camera_roles, cameras, zones, masks, tools, destinations',
)

/** What is set on this box; what is not named is as the site file says. */
export type Rules = Static<typeof RulesSchema>

/** Rules out of a request. Throws `rules_invalid`, with the first thing that is wrong. */
export function readRules(data: unknown): Rules {
  const whole = JSON.parse(JSON.stringify(data ?? null)) as Plain
  const [first, ...more] = differences(RulesSchema, whole)
  if (first?.pointer === '') throw invalid(`\`set\` must be ${RulesSchema.expects}.`)
  if (first) throw invalid(`${first.message}${more.length ? ` (and ${more.length} more)` : ''}`)
  const rules = whole as Rules
  for (const [id, { source, stream, ptz }] of Object.entries(rules.cameras ?? {}))
    for (const place of [source?.snapshot, source?.rtsp, source?.onvif, stream, ptz])
      if (typeof place === 'object' && place.password && !CAMERA_SECRET.test(place.password.secret))
        throw invalid(
          `cameras.${id} names the secret ${place.password.secret}: give the camera's password anew, it gets a secret of its own.`,
        )
  return rules
}

/** The error for rules that cannot be; `message` says what to change. */
export function invalid(message: string): GatehouseError {
  return new GatehouseError('rules_invalid', message, { status: 422 })
}

/** The site file's data with the rules over it. */
export function laidOver(data: SiteData, rules: Rules): SiteData {
  return {
    ...data,
    ...(rules.facts !== undefined && { facts: rules.facts }),
    ...(rules.modes !== undefined && { modes: rules.modes }),
    people: peopleOver(data.people, rules.people),
    lists: { ...data.lists, ...valuesOf(rules.lists ?? {}) },
    tools: { ...data.tools, ...rules.tools },
    destinations: destinationsOver(data.destinations, rules.destinations),
    cameras: camerasOver({ ...data.cameras, ...rules.cameras }, rules),
  }
}

type Cameras = NonNullable<SiteData['cameras']>

/** What was set for a camera that is not there any more waits until it is. */
function camerasOver(cameras: Cameras, { camera_roles = {}, zones = {}, masks = {} }: Rules): Cameras {
  const of = <T>(set: { [id: string]: T }, id: string) => (Object.hasOwn(set, id) ? set[id] : undefined)
  return Object.fromEntries(
    Object.entries(cameras).map(([id, camera]) => {
      const over = { roles: of(camera_roles, id), zones: of(zones, id), masks: of(masks, id) }
      const said = Object.entries(over).filter(([, value]) => value !== undefined)
      return [id, said.length ? { ...camera, ...Object.fromEntries(said) } : camera]
    }),
  )
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
