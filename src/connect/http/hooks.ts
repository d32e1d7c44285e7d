import { type Clock, GatehouseError } from '../../core/index.ts'
import { type Destination, isInRange, isThisBox, type Site, sameAddress } from '../../site/index.ts'
import type { Secrets } from '../secrets.ts'
import { exchange } from './exchange.ts'
import { listedHeaders } from './listed.ts'
import { listedAt } from './redirects.ts'
import { wrongSignature } from './signature.ts'

const FETCH_MS = 5_000
const MOST_PICTURE_BYTES = 10 * 1024 * 1024

export interface SiteHooksOptions {
  site: () => Site
  secrets: Secrets
  ownPorts: () => readonly number[]
  clock: Clock
}

/** Who may use the webhooks of workflows, beyond knowing their addresses, and pictures that are sent as addresses. */
export class SiteHooks {
  readonly #options: SiteHooksOptions
  /** Calls that were turned away. */
  refused = 0

  constructor(options: SiteHooksOptions) {
    this.#options = options
  }

  /** Throws `not_from_there` (403) where a webhook may not be called from an address; null: this machine. */
  assertFrom(slug: string, address: string | null): void {
    const from = this.#options.site().hook(slug)?.from
    if (!from || from.some(range => isInRange(address ?? '127.0.0.1', range))) return
    this.refused++
    throw new GatehouseError('not_from_there', 'This webhook is not taken from your address.', {
      status: 403,
    })
  }

  /** Throws `bad_signature` (401), or `hook_unready` (503) where the box lacks the secret itself. */
  assertSigned(slug: string, headers: Headers, body: Uint8Array): void {
    const { site, secrets, clock } = this.#options
    const named = site().hook(slug)?.secret
    if (!named) return
    const secret = secrets.get(named.secret)
    if (!secret)
      throw new GatehouseError(
        'hook_unready',
        `The secret ${named.secret} of this webhook is not on the box: write it into the file secrets/${named.secret} of the data folder.`,
        { status: 503 },
      )
    const why = wrongSignature({ headers, body, now: clock.now() }, secret)
    if (why === null) return
    this.refused++
    throw new GatehouseError('bad_signature', why, { status: 401 })
  }

  /** A picture at an address of a destination that is listed as `read`. Rejects with `picture_not_had` (422). */
  async picture(address: string, signal: AbortSignal): Promise<Uint8Array> {
    const { site, secrets, clock } = this.#options
    const url = URL.parse(address)
    const { destinations } = site()
    const listed = url && !url.username && !url.password ? readAt(url, destinations) : null
    if (!url || !listed)
      throw notHad('its address is not listed: list its host under destinations, with class: read')
    const own = { 'user-agent': 'Gatehouse', accept: 'image/jpeg, image/png, image/webp' }
    const { status, body, cut } = await exchange({
      label: listed.name,
      url,
      method: 'GET',
      headers: { ...listedHeaders(listed, secrets), ...own },
      signal,
      timeoutMs: FETCH_MS,
      maxBytes: MOST_PICTURE_BYTES,
      clock,
      refuse: (found, port, host) => this.#refusalOfOwn(found, port, host),
      redirect: to => {
        const next = readAt(to, site().destinations)
        return next && { ...listedHeaders(next, secrets), ...own }
      },
    }).catch((error: Error) => {
      throw notHad(error.message.replace(/\.$/, ''))
    })
    if (status !== 200) throw notHad(`${listed.name} answered ${status}`)
    if (cut) throw notHad('it is larger than 10 MB')
    return body
  }

  #refusalOfOwn(address: string, port: number, host: string): string | null {
    if (!isThisBox(address)) return null
    if (this.#options.ownPorts().includes(port)) return 'it is this Gatehouse itself'
    return sameAddress(host, address) ? null : `${address} is this box itself: list its address`
  }
}

/** The destination that only reads at the origin of an address; null: none, or another class is listed there, too. */
function readAt(url: URL, destinations: readonly Destination[]): Destination | null {
  for (const each of destinations) {
    if (each.class !== 'read' || each.url.origin !== url.origin) continue
    const listed = listedAt(url, each, destinations)
    if (listed) return listed
  }
  return null
}

function notHad(why: string): GatehouseError {
  return new GatehouseError('picture_not_had', `The picture was not fetched: ${why}.`, { status: 422 })
}
