/** The NATS server of a site, in its file under `nats:`. */
import { dirname, resolve } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import type { NatsServer, NatsSetting } from './types.ts'

/** Where a NATS server listens unless it was told otherwise. */
const PORT = 4222
const MOST_SERVERS = 16
const text = Type.String({ minLength: 1, maxLength: 500, expects: 'a text' })
const closed = <P extends Parameters<typeof Type.Object>[0]>(properties: P, expects: string) =>
  Type.Object(properties, { additionalProperties: false, expects })
const secret = closed(
  {
    secret: Type.String({
      pattern: '^[a-z][a-z0-9_-]{0,63}$',
      expects: 'a name: small letters, digits, _ and -, beginning with a letter',
    }),
  },
  '{ secret: <name> }',
)
/** A name that NATS takes as a token of its subjects. */
const token = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  expects: 'a name of letters, digits, _ and -',
})

export const NatsSchema = closed(
  {
    url: Type.Union([text, Type.Array(text, { minItems: 1, maxItems: MOST_SERVERS })], {
      expects: 'an address such as nats://192.168.1.20:4222, or a list of them',
    }),
    auth: Type.Optional(
      closed(
        {
          token: Type.Optional(secret),
          user: Type.Optional(text),
          password: Type.Optional(secret),
          nkey: Type.Optional(secret),
        },
        '{ token }, { user, password } or { nkey }, each secret as { secret: <name> }',
      ),
    ),
    tls: Type.Optional(
      closed({ ca: Type.Optional(text) }, '{ ca: <file with the certificate of who signed> }'),
    ),
    queue: Type.Optional(token),
    jetstream: Type.Optional(
      closed({ stream: token, durable: Type.Optional(token) }, '{ stream, durable } of JetStream'),
    ),
  },
  'a NATS server: url, auth, tls, queue, jetstream',
)

type Data = Static<typeof NatsSchema>
type Report = (pointer: string, code: string, message: string) => void

/** What the file says of it; `report` hears what no schema sees. */
export function natsOf(data: Data | undefined, file: string, report: Report): NatsSetting | null {
  if (!data) return null
  const urls = typeof data.url === 'string' ? [data.url] : data.url
  const servers = urls.flatMap((url, i) => {
    const at = typeof data.url === 'string' ? '/nats/url' : `/nats/url/${i}`
    return serverOf(url, at, report) ?? []
  })
  return {
    servers,
    auth: authOf(data.auth ?? {}, report),
    tls: data.tls !== undefined || servers.some(({ tls }) => tls),
    ca: data.tls?.ca === undefined ? null : resolve(dirname(file), data.tls.ca),
    queue: data.queue ?? 'gatehouse',
    jetstream: data.jetstream
      ? { stream: data.jetstream.stream, durable: data.jetstream.durable ?? 'gatehouse' }
      : null,
  }
}

function serverOf(address: string, pointer: string, report: Report): NatsServer | null {
  const url = URL.parse(address)
  const path = pointer.slice(1).replaceAll('/', '.')
  if (!url || !/^(nats|tls):$/.test(url.protocol) || url.hostname === '' || !/^\/?$/.test(url.pathname)) {
    report(
      pointer,
      'wrong_value',
      `${path} must be an address that begins with nats:// or tls://, such as nats://192.168.1.20:4222.`,
    )
    return null
  }
  if (url.username || url.password) {
    report(
      pointer,
      'credentials_in_url',
      `${path} holds credentials: write them under nats.auth, the secret part into the file secrets/<name> of the data folder.`,
    )
    return null
  }
  return { host: url.hostname, port: Number(url.port || PORT), tls: url.protocol === 'tls:' }
}

function authOf(data: NonNullable<Data['auth']>, report: Report): NatsSetting['auth'] {
  const { token, user, password, nkey } = data
  const ways = [token, user ?? password, nkey].filter(way => way !== undefined)
  if (ways.length > 1) {
    report(
      '/nats/auth',
      'wrong_value',
      'nats.auth must be one of token, user with password, and nkey: keep the one that the server asks for.',
    )
  }
  if (password && user === undefined)
    report('/nats/auth', 'missing_key', 'nats.auth.password needs nats.auth.user beside it.')
  if (token) return { kind: 'token', token }
  if (nkey) return { kind: 'nkey', seed: nkey }
  if (user !== undefined) return { kind: 'user', user, password: password ?? null }
  return { kind: 'none' }
}
