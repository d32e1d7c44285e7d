/** How people are told, in the site file under `channels:`. */
import { dirname, resolve } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import type { Channel, SmtpChannel } from './channel-types.ts'
import type { Destination, Topic } from './types.ts'

const text = (most: number, expects: string) => Type.String({ minLength: 1, maxLength: most, expects })
const word = <const W extends string>(words: readonly W[], expects: string) =>
  Type.Union(
    words.map(each => Type.Literal(each)),
    { expects },
  )
const secret = Type.Object(
  { secret: Type.String({ pattern: '^[a-z][a-z0-9_-]{0,63}$', expects: 'the name of a secret' }) },
  { additionalProperties: false, expects: '{ secret: <name> }' },
)

export const ChannelSchema = Type.Object(
  {
    kind: word(
      ['ntfy', 'smtp', 'webhook', 'mqtt', 'home_assistant'],
      'ntfy, smtp, webhook, mqtt or home_assistant',
    ),
    url: Type.Optional(text(500, 'an address such as https://ntfy.example')),
    topic: Type.Optional(text(64, 'a topic')),
    token: Type.Optional(secret),
    host: Type.Optional(text(253, 'the name or address of a mail server')),
    port: Type.Optional(
      Type.String({ pattern: '^[1-9]\\d{0,4}$', expects: 'a whole number from 1 to 65535' }),
    ),
    security: Type.Optional(word(['tls', 'starttls', 'none'], 'tls, starttls or none')),
    ca: Type.Optional(text(500, 'a file with certificates')),
    from: Type.Optional(text(254, 'a mail address')),
    to: Type.Optional(text(254, 'a mail address')),
    user: Type.Optional(text(200, 'a name')),
    password: Type.Optional(secret),
    service: Type.Optional(text(80, 'a service such as notify.mobile_app_ann')),
    destination: Type.Optional(text(64, 'the name of a destination')),
    per_minute: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,2}$', expects: 'a number from 1 to 999' })),
    pictures: Type.Optional(word(['true', 'false'], 'true or false')),
  },
  { additionalProperties: false, expects: 'a channel: kind, and what it takes' },
)

type Data = Static<typeof ChannelSchema>
type Report = (pointer: string, code: string, message: string) => void

/** What each kind takes, beside `kind`, `per_minute` and `pictures`; with a star what it cannot do without. */
const TAKES: Record<Data['kind'], readonly (keyof Data | `${keyof Data}*`)[]> = {
  ntfy: ['url*', 'topic', 'token'],
  smtp: ['host*', 'port', 'security', 'ca', 'from*', 'to', 'user', 'password'],
  webhook: ['destination*'],
  mqtt: ['destination*'],
  home_assistant: ['service'],
}
const ALL = ['kind', 'per_minute', 'pictures']
const PORTS = { tls: 465, starttls: 587, none: 25 }
const PER_MINUTE = '10'

/** What the rest of the file says, and who hears what no schema sees. */
interface Around {
  file: string
  destinations: ReadonlyMap<string, Destination>
  topics: ReadonlyMap<string, Topic>
  hasHome: boolean
  report: Report
}

/** What the file says of all channels; those that cannot be any are left out. */
export function channelsOf(
  data: { [name: string]: Data } | undefined,
  around: Around,
): ReadonlyMap<string, Channel> {
  const all = Object.entries(data ?? {}).map(([name, each]) => channelOf(name, each, around))
  return new Map(all.flatMap(each => (each ? [[each.name, each] as const] : [])))
}

/** Null where it cannot be one. */
function channelOf(name: string, data: Data, around: Around): Channel | null {
  const at = `/channels/${name}`
  const { kind } = data
  const takes = TAKES[kind].map(key => key.replace('*', ''))
  const foreign = Object.keys(data).find(key => !ALL.includes(key) && !takes.includes(key))
  if (foreign !== undefined) {
    const message = `channels.${name}.${foreign} belongs to another kind: ${kind} takes ${takes.join(', ')}.`
    around.report(`${at}/${foreign}`, 'wrong_value', message)
    return null
  }
  const lacking = TAKES[kind]
    .filter(key => key.endsWith('*') && data[key.slice(0, -1) as keyof Data] === undefined)
    .map(key => key.slice(0, -1))
  for (const key of lacking)
    around.report(at, 'missing_key', `channels.${name} is ${kind} and needs ${key}: add it.`)
  if (lacking.length) return null
  const named = {
    name,
    perMinute: Number(data.per_minute ?? PER_MINUTE),
    pictures: data.pictures !== 'false',
  }
  if (kind === 'ntfy') return ntfyOf(data, named, around.report)
  if (kind === 'smtp') return smtpOf(data, named, around)
  if (kind === 'home_assistant') return homeOf(data, named, around)
  return listedOf(kind, data.destination ?? '', named, around)
}

type Base = Pick<Channel, 'name' | 'perMinute' | 'pictures'>

function ntfyOf(data: Data, base: Base, report: Report): Channel {
  const path = `channels.${base.name}`
  const at = `/channels/${base.name}`
  const url = URL.parse(data.url ?? '')
  const { topic = null, token = null } = data
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '')
    report(`${at}/url`, 'wrong_value', `${path}.url must be an address that begins with http.`)
  else if (url.username || url.password)
    report(
      `${at}/url`,
      'credentials_in_url',
      `${path}.url holds credentials: write an access token into the file secrets/<name> of the data folder, and token: { secret: <name> } beside it.`,
    )
  else if (url.search || url.hash)
    report(`${at}/url`, 'wrong_value', `${path}.url ends with its host, port and path: take away the rest.`)
  const wrong = topic === null ? null : wrongTopic(topic)
  if (wrong !== null) report(`${at}/topic`, 'wrong_value', `${path}.topic ${wrong}.`)
  const clean = new URL(url ?? 'http://invalid')
  clean.pathname = clean.pathname.replace(/\/+$/, '')
  return { ...base, kind: 'ntfy', url: clean, topic, token }
}

function smtpOf(data: Data, base: Base, { file, report }: Around): Channel {
  const path = `channels.${base.name}`
  const at = `/channels/${base.name}`
  const { user = null, password = null, to = null, from = '', host = '', security = 'starttls' } = data
  const port = Number(data.port ?? PORTS[security])
  if (port > 65_535) report(`${at}/port`, 'wrong_value', `${path}.port must be a number from 1 to 65535.`)
  const bare = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  const url = URL.parse(`smtp://${bare}`)
  if (!url || url.hostname === '' || url.host !== url.hostname || url.pathname || url.username)
    report(`${at}/host`, 'wrong_value', `${path}.host must be the name or address of a mail server.`)
  const sender = /^[^<>]*<([^<>]+)>$/.exec(from)?.[1] ?? from
  if (!isMailAddress(sender) || /[\p{Cc}"]/u.test(from))
    report(
      `${at}/from`,
      'wrong_value',
      `${path}.from must be a mail address, such as Gate <gate@site.example>.`,
    )
  if (to !== null && !isMailAddress(to))
    report(`${at}/to`, 'wrong_value', `${path}.to must be a mail address.`)
  if ((user === null) !== (password === null))
    report(at, 'missing_key', `${path} needs user and password: { secret: <name> } both, or neither.`)
  if (user !== null && security === 'none')
    report(
      `${at}/security`,
      'wrong_value',
      `${path} must not send a password in the clear: use tls or starttls, or leave user and password out.`,
    )
  if (data.ca !== undefined && security === 'none')
    report(`${at}/ca`, 'wrong_value', `${path}.ca belongs to tls and starttls: leave it out.`)
  return {
    ...base,
    kind: 'smtp',
    host: url?.hostname ?? 'invalid',
    port,
    security: security as SmtpChannel['security'],
    ca: data.ca === undefined ? null : resolve(dirname(file), data.ca),
    ...{ from, to, user, password },
  }
}

function homeOf(data: Data, base: Base, { hasHome, report }: Around): Channel {
  const service = data.service ?? null
  const at = `/channels/${base.name}`
  if (!hasHome)
    report(at, 'missing_key', `channels.${base.name} needs Home Assistant: name it under home_assistant.`)
  const wrong = service === null ? null : wrongService(service)
  if (wrong !== null) report(`${at}/service`, 'wrong_value', `channels.${base.name}.service ${wrong}.`)
  return { ...base, kind: 'home_assistant', service }
}

function listedOf(
  kind: 'webhook' | 'mqtt',
  destination: string,
  base: Base,
  { destinations, topics, report }: Around,
): Channel {
  const path = `channels.${base.name}.destination`
  const wrong = (why: string) =>
    report(`/channels/${base.name}/destination`, 'wrong_value', `${path} ${why}.`)
  const [own, other] = kind === 'webhook' ? [destinations, topics] : [topics, destinations]
  const listed = own.get(destination)
  if (other.has(destination))
    wrong(kind === 'webhook' ? 'is a topic: use kind: mqtt' : 'is an address: use kind: webhook')
  else if (!listed) wrong(`is not listed: add ${destination} under destinations`)
  else if (listed.class === 'move') wrong('moves something: nobody is told by what moves')
  return { ...base, kind, destination }
}

/** Why an ntfy server takes no topic of that name, as the rest of a sentence, or null. */
export function wrongTopic(topic: string): string | null {
  return /^[A-Za-z0-9_-]{1,64}$/.test(topic) ? null : 'must be letters, digits, _ and -, 64 of them at most'
}

/** Why no service of that name notifies anybody, as the rest of a sentence, or null. */
export function wrongService(service: string): string | null {
  return /^notify\.[a-z0-9_]{1,64}$/.test(service) ? null : 'must be a service such as notify.mobile_app_ann'
}

/** One plain mail address: no list, no name, nothing that could end a line. */
export function isMailAddress(text: string): boolean {
  return /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,188}[A-Za-z0-9])?$/.test(text)
}
