/** One try to reach a NATS server. The library is loaded with the first: a site without NATS never pays for it. */
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { Authenticator, ConnectionOptions, NatsConnection } from '@nats-io/transport-node'
import { GatehouseError, messageOf } from '../../core/index.ts'
import { type NatsServer, type NatsSetting, refusalOf } from '../../site/index.ts'
import { type Lookup, systemLookup } from '../http/address.ts'
import { type Secrets, secretFor } from '../secrets.ts'

/** A server that does not greet within this is no server, or too busy to be one. */
const GREET_MS = 5_000
/** One that is silent for two of these is gone, though nobody said so. */
const PING_MS = 10_000

export interface DialOptions {
  setting: NatsSetting
  secrets: Secrets
  /** The addresses of a name; default: what the system says. */
  lookup?: Lookup
  /** How often it is asked whether it is there still; default 10 s. */
  pingMs?: number
}

/** Connects to the first server of the setting that takes us. Rejects with a `GatehouseError` that says what to do. */
export async function dial(options: DialOptions): Promise<NatsConnection> {
  const { servers } = options.setting
  let error = new GatehouseError('nats_unreachable', 'nats has no address in the site file.', { status: 502 })
  for (const server of servers) {
    try {
      return await reach(server, options)
    } catch (thrown) {
      error = failure(server, thrown, options.setting.tls)
    }
  }
  throw error
}

/** For people. */
export function placeOf({ host, port }: NatsServer): string {
  return `${host}:${port}`
}

async function reach(
  server: NatsServer,
  { setting, secrets, lookup = systemLookup, pingMs = PING_MS }: DialOptions,
): Promise<NatsConnection> {
  const nats = await import('@nats-io/transport-node')
  const addresses = await checkedAddresses(server, lookup)
  const ca = setting.ca === null ? null : await certificate(setting.ca)
  const options: ConnectionOptions = {
    // Addresses that were checked: a second resolution cannot lead elsewhere.
    servers: addresses.map(address => `${isIP(address) === 6 ? `[${address}]` : address}:${server.port}`),
    name: 'Gatehouse',
    authenticator: authenticator(setting.auth, secrets, nats),
    timeout: GREET_MS,
    pingInterval: pingMs,
    // Trying again is ours: by our clock, to addresses that were checked anew.
    reconnect: false,
    ignoreClusterUpdates: true,
    noRandomize: true,
    noAsyncTraces: true,
    ...(setting.tls && { tls: tlsFor(server, ca) }),
  }
  return nats.connect(options)
}

/** Without brackets, each allowed for a host that is listed as it is. */
async function checkedAddresses({ host }: NatsServer, lookup: Lookup): Promise<readonly string[]> {
  const bare = host.startsWith('[') ? host.slice(1, -1) : host
  const addresses = isIP(bare) ? [bare] : await lookup(bare)
  if (!addresses.length) throw new Error('its name has no address')
  for (const address of addresses) {
    const refusal = refusalOf(address, host)
    if (refusal) throw new GatehouseError('egress_denied', `nats: nothing is sent there: ${refusal}.`)
  }
  return addresses
}

/** A certificate is held against the name that the site file says, not against the address. */
function tlsFor({ host }: NatsServer, ca: string | null): NonNullable<ConnectionOptions['tls']> {
  const name = isIP(host) || host.startsWith('[') ? {} : { servername: host }
  return { ...name, ...(ca !== null && { ca }) }
}

async function certificate(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new GatehouseError(
      'bad_request',
      `nats.tls.ca: ${file} cannot be read: correct the path, or put the certificate there.`,
      { cause: error },
    )
  }
}

function authenticator(
  auth: NatsSetting['auth'],
  secrets: Secrets,
  nats: typeof import('@nats-io/transport-node'),
): Authenticator[] {
  const secret = ({ secret }: { secret: string }) => secretFor('nats', secret, secrets)
  if (auth.kind === 'token') return [nats.tokenAuthenticator(secret(auth.token))]
  if (auth.kind === 'nkey') return [seeded(secret(auth.seed), auth.seed.secret, nats)]
  if (auth.kind === 'user') {
    const password = auth.password ? secret(auth.password) : undefined
    return [nats.usernamePasswordAuthenticator(auth.user, password)]
  }
  return []
}

/** A seed that is none would be found out only when the server asks, in words of the library. */
function seeded(seed: string, name: string, nats: typeof import('@nats-io/transport-node')): Authenticator {
  const bytes = new TextEncoder().encode(seed.trim())
  const signs = nats.nkeyAuthenticator(bytes)
  try {
    signs('try')
  } catch {
    throw new GatehouseError(
      'bad_request',
      `nats: the secret ${name} is no nkey seed: it begins with SU, as "nk -gen user" prints it.`,
    )
  }
  return signs
}

/** Never in the words of the library: they may quote what was said on the line. */
function failure(server: NatsServer, error: unknown, tls: boolean): GatehouseError {
  if (error instanceof GatehouseError) return error
  const say = (why: string) =>
    new GatehouseError('nats_unreachable', `NATS at ${placeOf(server)}: ${why}.`, {
      status: 502,
      cause: error,
    })
  const why = reasonOf(error)
  return say(why === UNTRUSTED && !tls ? WANTS_TLS : why)
}

const UNTRUSTED =
  'its certificate is not trusted: name the certificate of who signed it under nats.tls.ca, and its own name in the address'
const WANTS_TLS =
  'it wants TLS: write tls: { ca: <file> } under nats with the certificate of who signed its own, or tls: {} where the system knows them'

/** Why a server did not take us, or why it let us go. */
export function reasonOf(error: unknown): string {
  const said = [error, (error as Error | undefined)?.cause].map(each =>
    each instanceof Error ? `${each.name} ${'code' in each ? each.code : ''} ${messageOf(each)}` : '',
  )
  const known = WORDS.find(([pattern]) => pattern.test(said.join(' ')))
  return known?.[1] ?? 'the line broke'
}

const WORDS: readonly (readonly [RegExp, string])[] = [
  [
    /Authorization|User Authentication/i,
    'it refuses who we are: check auth under nats in the site file, and the secret that it names',
  ],
  [
    /does not support 'tls'/,
    'it does not speak TLS: take tls out of the site file, or have the server offer it',
  ],
  [/CERT|certificate|self.signed|ALTNAME|altnames|issuer/i, UNTRUSTED],
  [/ECONNREFUSED/, 'nobody listens there: start the server, or correct the address'],
  [/TimeoutError|timeout|ETIMEDOUT/i, 'it does not answer'],
  [/ENOTFOUND|EAI_AGAIN|getaddrinfo|no address/i, 'its name is not known'],
  [/EHOSTUNREACH|ENETUNREACH/i, 'there is no way to it in the network'],
  [/unexpected response/i, 'what answers there is no NATS server'],
  [/maximum connections/i, 'it has no room for another client'],
  [/Slow Consumer/i, 'it cut us off for being too slow'],
]
