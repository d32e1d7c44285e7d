import { createHash, randomBytes } from 'node:crypto'

/** What a server wants to see before it answers (RFC 7617, RFC 7616). */
export type Challenge =
  | { scheme: 'basic' }
  | {
      scheme: 'digest'
      realm: string
      nonce: string
      opaque: string | null
      /** As it was spelled; null: not said, MD5. */
      algorithm: string | null
      /** Of the ways that it offers, the one that is used here. */
      qop: 'auth' | null
      /** The nonce was too old, and nothing else wrong. */
      stale: boolean
    }

/** Longer is no honest challenge. */
const MOST_CHARS = 4_096
const HASHES: Readonly<Record<string, string>> = {
  md5: 'md5',
  'md5-sess': 'md5',
  'sha-256': 'sha256',
  'sha-256-sess': 'sha256',
}
const TOKEN = /([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*(=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/g

/** The strongest challenge of a header that is understood here, or null. */
export function challengeIn(header: string | null): Challenge | null {
  if (header === null || header.length > MOST_CHARS) return null
  const offered: { scheme: string; params: Map<string, string> }[] = []
  for (const [, token = '', value, quoted, bare] of header.matchAll(TOKEN)) {
    if (value === undefined) offered.push({ scheme: token.toLowerCase(), params: new Map() })
    else offered.at(-1)?.params.set(token.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? bare ?? '')
  }
  const digests = offered.filter(({ scheme }) => scheme === 'digest').map(({ params }) => digestOf(params))
  const known = digests.filter(digest => digest !== null)
  const strong = known.find(({ algorithm }) => /^sha-256/i.test(algorithm ?? ''))
  const basic = offered.some(({ scheme }) => scheme === 'basic') ? { scheme: 'basic' as const } : null
  return strong ?? known[0] ?? basic
}

function digestOf(params: ReadonlyMap<string, string>): (Challenge & { scheme: 'digest' }) | null {
  const nonce = params.get('nonce')
  const algorithm = params.get('algorithm') ?? null
  const ways = params
    .get('qop')
    ?.toLowerCase()
    .split(',')
    .map(way => way.trim())
  const unknown = !Object.hasOwn(HASHES, (algorithm ?? 'md5').toLowerCase())
  if (nonce === undefined || unknown || (ways && !ways.includes('auth'))) return null
  return {
    scheme: 'digest',
    realm: params.get('realm') ?? '',
    nonce,
    opaque: params.get('opaque') ?? null,
    algorithm,
    qop: ways ? 'auth' : null,
    stale: params.get('stale')?.toLowerCase() === 'true',
  }
}

/** The header that answers a challenge for one request. `count`: how many answers this nonce has had, with this one. */
export function authorization(
  challenge: Challenge,
  who: { user: string; password: string },
  request: { method: string; uri: string; count: number; cnonce?: string },
): string {
  const { user, password } = who
  if (challenge.scheme === 'basic')
    return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`
  const { realm, nonce, opaque, algorithm, qop } = challenge
  const { method, uri, count, cnonce = randomBytes(8).toString('hex') } = request
  const kind = (algorithm ?? 'md5').toLowerCase()
  const hash = (text: string) =>
    createHash(HASHES[kind] ?? 'md5')
      .update(text, 'utf8')
      .digest('hex')
  const plain = hash(`${user}:${realm}:${password}`)
  const secret = kind.endsWith('-sess') ? hash(`${plain}:${nonce}:${cnonce}`) : plain
  const nc = count.toString(16).padStart(8, '0')
  const what = hash(`${method}:${uri}`)
  const response = hash(
    qop ? `${secret}:${nonce}:${nc}:${cnonce}:${qop}:${what}` : `${secret}:${nonce}:${what}`,
  )
  const parts = [
    `username=${quoted(user)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    ...(algorithm === null ? [] : [`algorithm=${algorithm}`]),
    `response="${response}"`,
    ...(opaque === null ? [] : [`opaque=${quoted(opaque)}`]),
    ...(qop ? [`qop=${qop}`, `nc=${nc}`] : []),
    ...(qop || kind.endsWith('-sess') ? [`cnonce="${cnonce}"`] : []),
  ]
  return `Digest ${parts.join(', ')}`
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}
