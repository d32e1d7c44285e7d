/** Who stands at the door: what a request shows of that, and what a browser is given to show next time. */
import { GatehouseError } from '../../core/index.ts'
import type { Access, From } from './access.ts'
import { CONSOLE, HERE, NOBODY, type Principal } from './principal.ts'
import { LONGEST_MS } from './sessions.ts'

/** One way in. */
export interface Door {
  /** The socket in the data folder: whoever may open it owns the box. */
  readonly console: boolean
  /** Whoever comes this way sits at this machine, and nobody has a login: they may do (nearly) everything. */
  readonly open: boolean
  /** What comes this way is encrypted by this box. */
  readonly secure: boolean
  /** Where the cookie of a session is; a name of its own for each box at one address. */
  readonly cookie: string
}

/** For commands on the box. */
export const CONSOLE_DOOR: Door = { console: true, open: false, secure: false, cookie: '' }

/** Set by what passes requests on. */
const PASSED_ON = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via']

/** Throws `bad_token` (401) for a token that is none, `not_here` (403) where a proxy stands before an open door. */
export function whoAsks({ headers }: Request, door: Door, access: Access): Principal {
  if (door.console) return CONSOLE
  const shown = headers.get('authorization')
  if (shown !== null) {
    const token = /^Bearer +(\S{1,200})$/i.exec(shown)?.[1]
    const who = token === undefined ? null : access.byToken(token)
    if (who) return who
    throw new GatehouseError('bad_token', 'That is no token of this box, or not any more.', { status: 401 })
  }
  const secret = cookieOf(headers, door.cookie)
  const who = secret === null ? null : access.bySession(secret)
  if (who) return who
  if (!door.open) return NOBODY
  if (PASSED_ON.some(name => headers.has(name)))
    throw new GatehouseError(
      'not_here',
      'This box has no admin yet and answers its own machine only: claim it before you put a proxy before it.',
      { status: 403 },
    )
  return HERE
}

/** Where a request comes from. `address`: of the peer. */
export function fromOf({ headers }: Request, address: string | null): From {
  return {
    address: address === null ? null : placeOf(address),
    peer: address,
    device: deviceOf(headers.get('user-agent')),
  }
}

/** For `Set-Cookie`; null: signed out. */
export function cookieFor(secret: string | null, { cookie, secure }: Door): string {
  const age = secret === null ? 0 : Math.floor(LONGEST_MS / 1000)
  const parts = [`${cookie}=${secret ?? ''}`, 'Path=/', 'HttpOnly', 'SameSite=Strict', `Max-Age=${age}`]
  return [...parts, ...(secure ? ['Secure'] : [])].join('; ')
}

function cookieOf(headers: Headers, name: string): string | null {
  for (const part of (headers.get('cookie') ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2)
    if (key === name && value !== undefined && /^[\w-]{20,100}$/.test(value)) return value
  }
  return null
}

/** Null: this machine. A whole network of IPv6 is one place, since each of its machines has as many as it likes. */
function placeOf(address: string): string | null {
  const plain = address.replace(/^::ffff:/i, '')
  if (plain === '::1' || plain.startsWith('127.')) return null
  return plain.includes(':') ? `${plain.split(':').slice(0, 4).join(':')}::` : plain
}

const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg/, 'Edge'],
  [/\bFirefox\//, 'Firefox'],
  [/\bHomeAssistant|Home Assistant/, 'Home Assistant'],
  [/\b(Headless)?Chrom(e|ium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/\bcurl\//, 'curl'],
]
const SYSTEMS: readonly [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

/** `Chrome, Android`: words of our own only, never what was sent. */
function deviceOf(agent: string | null): string | null {
  const known = (table: typeof BROWSERS) => table.find(([pattern]) => pattern.test(agent ?? ''))?.[1]
  const words = [known(BROWSERS), known(SYSTEMS)].filter(word => word !== undefined)
  return words.length ? words.join(', ') : null
}
