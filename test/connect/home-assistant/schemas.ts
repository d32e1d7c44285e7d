/**
 * What Home Assistant takes: the rules of its MQTT integration for a device and each of its components, as its
 * documentation has them (device discovery, and the pages of the platforms). Unknown keys are wrong here although Home
 * Assistant drops them: what it drops was meant for something.
 */
import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

const closed = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)
const string = Type.String({ minLength: 1 })
/** What is published to and what is subscribed to: no wildcards in either, in what a device says of itself. */
const topic = Type.String({ minLength: 1, maxLength: 65_535, pattern: '^[^+#\\u0000]+$' })
const icon = Type.String({ pattern: '^[a-z0-9]+:[a-z0-9-]+$' })
const url = Type.String({ pattern: '^(https?|homeassistant)://.+' })
const oneOf = (...words: string[]) => Type.Union(words.map(word => Type.Literal(word)))

const availability = Type.Array(
  closed({
    topic,
    payload_available: optional(string),
    payload_not_available: optional(string),
    value_template: optional(string),
  }),
)

const common = {
  unique_id: string,
  name: Type.Union([string, Type.Null()]),
  icon: optional(icon),
  availability: optional(availability),
  json_attributes_topic: optional(topic),
  enabled_by_default: optional(Type.Boolean()),
  qos: optional(Type.Integer({ minimum: 0, maximum: 2 })),
}
/** Entities that only tell something are no configuration. */
const telling = { ...common, entity_category: optional(Type.Literal('diagnostic')) }
const acting = { ...common, entity_category: optional(oneOf('config', 'diagnostic')) }

const components = {
  button: closed({
    p: Type.Literal('button'),
    ...acting,
    command_topic: topic,
    payload_press: optional(string),
    device_class: optional(oneOf('identify', 'restart', 'update')),
  }),
  select: closed({
    p: Type.Literal('select'),
    ...acting,
    command_topic: topic,
    state_topic: optional(topic),
    options: Type.Array(string, { minItems: 1, uniqueItems: true }),
  }),
  switch: closed({
    p: Type.Literal('switch'),
    ...acting,
    command_topic: topic,
    state_topic: optional(topic),
    payload_on: optional(string),
    payload_off: optional(string),
    device_class: optional(oneOf('outlet', 'switch')),
  }),
  sensor: closed({
    p: Type.Literal('sensor'),
    ...telling,
    state_topic: topic,
    device_class: optional(Type.Literal('enum')),
    options: optional(Type.Array(string, { minItems: 1, uniqueItems: true })),
    state_class: optional(oneOf('measurement', 'total', 'total_increasing')),
    unit_of_measurement: optional(string),
  }),
  binary_sensor: closed({
    p: Type.Literal('binary_sensor'),
    ...telling,
    state_topic: topic,
    device_class: optional(oneOf('connectivity', 'problem', 'running')),
    payload_on: optional(string),
    payload_off: optional(string),
  }),
  event: closed({
    p: Type.Literal('event'),
    ...acting,
    state_topic: topic,
    event_types: Type.Array(string, { minItems: 1, uniqueItems: true }),
    device_class: optional(oneOf('button', 'doorbell', 'motion')),
  }),
  image: closed({ p: Type.Literal('image'), ...acting, image_topic: topic, content_type: optional(string) }),
  update: closed({
    p: Type.Literal('update'),
    ...acting,
    state_topic: optional(topic),
    command_topic: optional(topic),
    payload_install: optional(string),
    title: optional(string),
    device_class: optional(Type.Literal('firmware')),
  }),
} satisfies Record<string, TObject>

/** What is said of an entity that is to be taken away. */
const goneSchema = closed({ p: oneOf(...Object.keys(components)) })

const deviceSchema = closed({
  dev: closed({
    ids: Type.Array(string, { minItems: 1 }),
    name: string,
    mf: optional(string),
    mdl: optional(string),
    sw: optional(string),
    cu: optional(url),
  }),
  o: closed({ name: string, sw: optional(string), url: optional(url) }),
  availability: optional(availability),
  qos: optional(Type.Integer({ minimum: 0, maximum: 2 })),
  cmps: Type.Record(Type.String({ pattern: '^[a-zA-Z0-9_-]+$' }), Type.Object({ p: string }), {
    additionalProperties: false,
  }),
})

/** A component, as far as tests ask for its topics. */
export interface Component {
  p: string
  name: string | null
  unique_id: string
  availability?: unknown[]
  options?: string[]
  event_types?: string[]
  state_topic?: string
  command_topic?: string
  image_topic?: string
  json_attributes_topic?: string
}
export type Device = Static<typeof deviceSchema>

/** The device in a discovery message. Throws with everything that Home Assistant would not take. */
export function readDevice(text: string): {
  device: Device
  components: Map<string, Component>
  gone: string[]
} {
  const device = JSON.parse(text) as Device
  const wrong = differences(deviceSchema, device, '')
  const known = new Map<string, Component>()
  const gone: string[] = []
  for (const [key, component] of Object.entries(device.cmps)) {
    if (Object.keys(component).length === 1) {
      gone.push(key)
      wrong.push(...differences(goneSchema, component, key))
      continue
    }
    const schema = (components as Record<string, TSchema>)[component.p]
    if (schema) wrong.push(...differences(schema, component, key))
    else wrong.push(`${key}: Home Assistant has no ${component.p}`)
    known.set(key, component as unknown as Component)
  }
  const ids = [...known.values()].map(({ unique_id }) => unique_id)
  if (new Set(ids).size < ids.length) wrong.push('two components bear one unique_id')
  for (const [key, { p, options, ...rest }] of known)
    if (p === 'sensor' && options && !('device_class' in rest && rest.device_class === 'enum'))
      wrong.push(`${key}: options belong to device_class enum`)
  if (wrong.length) throw new Error(wrong.join('\n'))
  return { device, components: known, gone }
}

const updateState = closed({
  installed_version: Type.Union([string, Type.Null()]),
  release_summary: optional(Type.String({ maxLength: 255 })),
  latest_version: optional(Type.Union([string, Type.Null()])),
  title: optional(string),
  in_progress: optional(Type.Boolean()),
  update_percentage: optional(Type.Union([Type.Number({ minimum: 0, maximum: 100 }), Type.Null()])),
})

/** What a component is told must be what it can show. Throws otherwise. */
export function readState(component: Component, text: string): void {
  const { p, options, event_types: types } = component
  const wrong = (why: string) => {
    throw new Error(`${component.unique_id} (${p}): ${why}: ${text}`)
  }
  if (text.length > 255 && p !== 'update' && p !== 'event') wrong('longer than 255 characters')
  if ((p === 'select' || (p === 'sensor' && options)) && !options?.includes(text))
    wrong('none of its options')
  if (p === 'switch' && !['ON', 'OFF'].includes(text)) wrong('neither ON nor OFF')
  if (p === 'binary_sensor' && !['ON', 'OFF', 'online', 'offline'].includes(text)) wrong('neither on nor off')
  if (p === 'update' && !Value.Check(updateState, JSON.parse(text))) wrong('no state of an update')
  if (p === 'event') {
    const { event_type: type } = JSON.parse(text)
    if (!types?.includes(type)) wrong('none of its event types')
  }
}

function differences(schema: TSchema, value: unknown, where: string): string[] {
  return [...Value.Errors(schema, value)].map(({ path, message }) => `${where}${path}: ${message}`)
}
