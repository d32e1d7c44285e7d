import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { CameraSchema } from './camera.ts'
import { ChannelSchema } from './channels.ts'
import { FacesSchema } from './faces.ts'
import { HomeAssistantSchema } from './home-assistant.ts'
import { HooksSchema } from './hooks.ts'
import { KeepSchema } from './keep.ts'
import { LanguageSchema, VisionSchema } from './language.ts'
import { MqttSchema } from './mqtt.ts'
import { NatsSchema } from './nats.ts'
import { NvrSchema } from './nvr.ts'
import { AlertsSchema, reachedKeys } from './reached.ts'
import { TracksSchema } from './tracks.ts'
import { BackupsSchema, UpdatesSchema } from './upkeep.ts'

/** `expects` is what a problem says behind "must be". */
const NAME = '^[a-z][a-z0-9_-]{0,63}$'

const name = Type.String({
  pattern: NAME,
  expects: 'a name: small letters, digits, _ and -, beginning with a letter',
})
export const text = Type.String({ minLength: 1, maxLength: 500, expects: 'a text' })
export const names = Type.Array(name, { expects: 'a list of names, such as [gate]' })
const effect = Type.Union([Type.Literal('read'), Type.Literal('tell'), Type.Literal('move')], {
  expects: 'read, tell or move',
})

export const closed = <P extends { [key: string]: TSchema }>(properties: P, expects: string) =>
  Type.Object(properties, { additionalProperties: false, expects })

export const byName = <T extends TSchema>(value: T, expects: string) =>
  Type.Record(Type.String({ pattern: NAME }), value, { additionalProperties: false, expects })

const destination = closed(
  {
    url: Type.Optional(text),
    topic: Type.Optional(text),
    class: effect,
    retain: Type.Optional(
      Type.Union([Type.Literal('true'), Type.Literal('false')], { expects: 'true or false' }),
    ),
    qos: Type.Optional(Type.Union([Type.Literal('0'), Type.Literal('1')], { expects: '0 or 1' })),
    method: Type.Optional(
      Type.Union(
        ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map(verb => Type.Literal(verb)),
        { expects: 'GET, POST, PUT, PATCH or DELETE' },
      ),
    ),
    headers: Type.Optional(
      Type.Record(
        Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$" }),
        Type.Union([text, closed({ secret: name }, 'a secret')], { expects: 'a text or { secret: <name> }' }),
        { additionalProperties: false, expects: 'headers by name' },
      ),
    ),
    sign: Type.Optional(closed({ secret: name }, '{ secret: <name> }')),
  },
  'a destination: url, class, method, headers, sign; or topic, class, retain, qos',
)

export const destinations = byName(destination, 'destinations by name')

/** How tools of AI steps may be used here; what a step allows itself counts where it is stricter. */
export const toolModes = byName(
  Type.Union([Type.Literal('auto'), Type.Literal('ask'), Type.Literal('unavailable')], {
    expects: 'auto, ask or unavailable',
  }),
  'tools by name',
)

/** A site file, every scalar still text. */
export const SiteSchema = closed(
  {
    time_zone: Type.Optional(text),
    facts: Type.Optional(Type.String({ maxLength: 10_000, expects: 'a text' })),
    modes: Type.Optional(Type.Array(name, { minItems: 1, maxItems: 32, expects: 'a list of names' })),
    cameras: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$' }), CameraSchema, {
        additionalProperties: false,
        expects: 'cameras by id',
      }),
    ),
    people: Type.Optional(
      byName(
        closed(
          { name: Type.Optional(text), roles: Type.Optional(names), ...reachedKeys },
          'a person: name, roles, channels, quiet_hours',
        ),
        'people by name',
      ),
    ),
    lists: Type.Optional(byName(Type.Array(text, { expects: 'a list of texts' }), 'lists by name')),
    destinations: Type.Optional(destinations),
    tools: Type.Optional(toolModes),
    apps: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_.-]{0,63}$' }),
        Type.Record(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_.-]{0,63}$' }), effect, {
          additionalProperties: false,
          expects: 'actions with their class, such as { open: move }',
        }),
        { additionalProperties: false, expects: 'apps by id' },
      ),
    ),
    plain_alert_sources: Type.Optional(Type.Array(text, { expects: 'a list of alert sources' })),
    trusted_webhooks: Type.Optional(names),
    hooks: Type.Optional(HooksSchema),
    informing_services: Type.Optional(
      Type.Array(
        Type.String({
          pattern: '^[a-z0-9_]+\\.[a-z0-9_]+ [a-z0-9_]+\\.[a-z0-9_]+$',
          expects: 'a service and an entity, such as "switch.turn_on switch.hall_lamp"',
        }),
        {
          expects: 'a list of services with their entity',
        },
      ),
    ),
    alert_marks: Type.Optional(
      Type.String({ pattern: '^[1-9]\\d{0,3}$', expects: 'a whole number from 1 to 9999' }),
    ),
    alert_accuracy: Type.Optional(
      Type.String({ pattern: '^0(\\.\\d{1,6})?$', expects: 'a number from 0 to 0.999999' }),
    ),
    ai_per_hour: Type.Optional(
      Type.String({ pattern: '^[1-9]\\d{0,4}$', expects: 'a whole number from 1 to 99999' }),
    ),
    channels: Type.Optional(byName(ChannelSchema, 'channels by name')),
    alerts: Type.Optional(AlertsSchema),
    page_url: Type.Optional(text),
    keep: Type.Optional(KeepSchema),
    language: Type.Optional(LanguageSchema),
    vision: Type.Optional(VisionSchema),
    faces: Type.Optional(FacesSchema),
    mqtt: Type.Optional(MqttSchema),
    home_assistant: Type.Optional(HomeAssistantSchema),
    nvr: Type.Optional(NvrSchema),
    nats: Type.Optional(NatsSchema),
    tracks: Type.Optional(TracksSchema),
    updates: Type.Optional(UpdatesSchema),
    backups: Type.Optional(BackupsSchema),
    plate_confidence: Type.Optional(
      Type.String({ pattern: '^(0(\\.\\d{1,6})?|1(\\.0{1,6})?)$', expects: 'a number from 0 to 1' }),
    ),
  },
  'a site: cameras, people, lists and so on',
)

export type SiteData = Static<typeof SiteSchema>
