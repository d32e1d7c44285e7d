/** The site's MQTT broker, in its file under `mqtt:`, and topics as destinations. */
import { dirname, resolve } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import type { Effect } from '../contract/index.ts'
import type { MqttMay, MqttSetting, Topic } from './types.ts'

const text = (most: number, expects: string) => Type.String({ minLength: 1, maxLength: most, expects })

/** What may be done through the broker by whoever may publish there. */
const MAY = ['press', 'answer', 'states', 'pause', 'unpause', 'site_mode', 'update'] as const
/** Nobody is known who comes by the broker: what lets things move, and what says who is at home, has to be allowed. */
const MAY_UNASKED: readonly MqttMay[] = ['press', 'answer', 'states', 'pause']

export const MqttSchema = Type.Object(
  {
    url: text(500, 'an address such as mqtt://192.168.1.5'),
    user: Type.Optional(text(200, 'a name')),
    password: Type.Optional(
      Type.Object(
        { secret: Type.String({ pattern: '^[a-z][a-z0-9_-]{0,63}$', expects: 'the name of a secret' }) },
        { additionalProperties: false, expects: '{ secret: <name> }' },
      ),
    ),
    ca: Type.Optional(text(500, 'a file with certificates')),
    client_id: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{1,64}$',
        expects: 'letters, digits, _ and -, 64 of them at most',
      }),
    ),
    base: Type.Optional(text(100, 'a topic')),
    discovery_prefix: Type.Optional(text(100, 'a topic')),
    name: Type.Optional(text(60, 'a name')),
    page: Type.Optional(text(200, 'the address of the page, beginning with http')),
    may: Type.Optional(
      Type.Array(
        Type.Union(
          MAY.map(word => Type.Literal(word)),
          { expects: `one of ${MAY.join(', ')}` },
        ),
        { expects: 'a list such as [press, answer]' },
      ),
    ),
  },
  {
    additionalProperties: false,
    expects: 'a broker: url, user, password, ca, client_id, base, discovery_prefix, name, page, may',
  },
)

type Report = (pointer: string, code: string, message: string) => void

/** What the file says of the broker; `report` hears what no schema sees. */
export function mqttOf(
  data: Static<typeof MqttSchema> | undefined,
  file: string,
  report: Report,
): MqttSetting | null {
  if (!data) return null
  const { user = null, password = null, base = null, discovery_prefix: prefix = 'homeassistant' } = data
  const url = URL.parse(data.url)
  if (!url || !['mqtt:', 'mqtts:'].includes(url.protocol) || url.hostname === '')
    report('/mqtt/url', 'wrong_value', 'mqtt.url must be an address such as mqtt://192.168.1.5 or mqtts://….')
  else if (url.username || url.password)
    report(
      '/mqtt/url',
      'credentials_in_url',
      'mqtt.url holds credentials: write user and password: { secret: <name> } beside it, and the password into the file secrets/<name> of the data folder.',
    )
  else if (url.pathname.length > 1 || url.search || url.hash)
    report('/mqtt/url', 'wrong_value', 'mqtt.url ends with its host and port: take away what follows.')
  if (data.ca !== undefined && url?.protocol === 'mqtt:')
    report('/mqtt/ca', 'wrong_value', 'mqtt.ca belongs to an address that begins with mqtts: leave it out.')
  if (password && user === null)
    report('/mqtt', 'missing_key', 'mqtt needs user: a broker takes no password without one.')
  for (const [key, topic] of [
    ['base', base],
    ['discovery_prefix', prefix],
  ] as const) {
    const why = topic === null ? null : (wrongTopic(topic) ?? wrongLevels(topic))
    if (why !== null) report(`/mqtt/${key}`, 'wrong_value', `mqtt.${key} ${why}.`)
  }
  if (base !== null && covers(prefix, base))
    report('/mqtt/base', 'wrong_value', 'mqtt.base must not lie under discovery_prefix.')
  const page = data.page === undefined ? null : URL.parse(data.page)
  if (data.page !== undefined && !(page && /^https?:$/.test(page.protocol) && !page.username))
    report('/mqtt/page', 'wrong_value', 'mqtt.page must be an address that begins with http.')
  return {
    url: url ?? new URL('mqtt://invalid'),
    user,
    password,
    ca: data.ca === undefined ? null : resolve(dirname(file), data.ca),
    clientId: data.client_id ?? null,
    base,
    discoveryPrefix: prefix,
    name: data.name ?? 'Gatehouse',
    page: page?.href ?? null,
    may: new Set(data.may ?? MAY_UNASKED),
  }
}

/** What the file says of a destination that is a topic. */
export function topicOf(
  name: string,
  data: { topic: string; class: Effect; retain?: string; qos?: string },
  mqtt: Pick<MqttSetting, 'base' | 'discoveryPrefix'> | null,
  report: Report,
): Topic {
  const { topic, class: effect, retain, qos } = data
  const at = `/destinations/${name}`
  const wrong = (key: string, why: string) =>
    report(`${at}/${key}`, 'wrong_value', `destinations.${name}.${key} ${why}.`)
  const why = wrongTopic(topic)
  if (why !== null) wrong('topic', why)
  for (const own of ['gatehouse', mqtt?.base, mqtt?.discoveryPrefix ?? 'homeassistant'])
    if (own && covers(own, topic))
      wrong('topic', `lies under ${own}, where Gatehouse itself is heard: use another one`)
  if (effect === 'move' && retain === 'true')
    wrong('retain', 'must not be: what is kept moves things again whenever their receiver connects')
  if (effect === 'move' && qos === '0')
    wrong('qos', 'must be 1 for what moves something: without an acknowledgement nobody knows whether it did')
  return { name, topic, class: effect, retain: retain === 'true', qos: qos === '0' ? 0 : 1 }
}

/** Why nothing can be published on a topic, as the rest of a sentence, or null. */
function wrongTopic(topic: string): string | null {
  if (/[+#]/.test(topic)) return 'must be one topic: it holds a + or #'
  if (topic.startsWith('$')) return 'must not begin with $: that is the broker’s own'
  if (/\p{Cc}/u.test(topic) || !topic.isWellFormed()) return 'holds a control character: take it out'
  return new TextEncoder().encode(topic).length > 250 ? 'must be shorter: at most 250 bytes' : null
}

function wrongLevels(topic: string): string | null {
  return topic.split('/').includes('') ? 'must not begin or end with / or hold //' : null
}

/** Whether `topic` is `own` or lies under it. */
function covers(own: string, topic: string): boolean {
  return topic === own || topic.startsWith(`${own}/`)
}
