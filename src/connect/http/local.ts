import type { LocalHttp } from '../../ai/index.ts'
import { type Clock, GatehouseError } from '../../core/index.ts'
import { isLocal, isThisBox, type Site, sameAddress } from '../../site/index.ts'
import type { Secrets } from '../secrets.ts'
import type { Lookup } from './address.ts'
import { exchange } from './exchange.ts'
import { listedHeaders } from './listed.ts'
import { listedAt } from './redirects.ts'
import { retryAfterMs } from './retry-after.ts'

export interface SiteHttpOptions {
  site: () => Site
  secrets: Secrets
  /** Ports on which this box itself listens. */
  ownPorts: () => readonly number[]
  clock: Clock
  /** The addresses of a name; default: what the system says. */
  lookup?: Lookup
}

/**
 * Asks programs on this box or in its own network that the site lists: models, which are handed pictures. A listed
 * address that leads out of the site is refused, whatever its name says.
 */
export class SiteHttp implements LocalHttp {
  readonly #options: SiteHttpOptions

  constructor(options: SiteHttpOptions) {
    this.#options = options
  }

  async post({ to, path, json, timeoutMs, maxBytes, signal }: Parameters<LocalHttp['post']>[0]) {
    const { site, secrets, clock, lookup } = this.#options
    const destination = site().destination(to)
    if (!destination) {
      throw new GatehouseError(
        'destination_unknown',
        `${to} is not listed: add it to the site's destinations.`,
      )
    }
    if (destination.class === 'move') {
      throw new GatehouseError(
        'egress_denied',
        `${to} is listed as what moves something: no model is asked there.`,
      )
    }
    const url = new URL(destination.url)
    url.pathname = path(url.pathname)
    const own = { 'user-agent': 'Gatehouse', 'content-type': 'application/json', accept: 'application/json' }
    const answer = await exchange({
      label: to,
      url,
      method: 'POST',
      headers: { ...listedHeaders(destination, secrets), ...own },
      body: JSON.stringify(json),
      signal,
      timeoutMs,
      maxBytes,
      clock,
      ...(lookup && { lookup }),
      refuse: (address, port, host) => this.#refusal(address, port, host),
      redirect: target => {
        const listed = listedAt(target, destination, site().destinations)
        return listed && { ...listedHeaders(listed, secrets), ...own }
      },
    })
    return {
      status: answer.status,
      body: new TextDecoder().decode(answer.body),
      cut: answer.cut,
      retryAfterMs: retryAfterMs(answer.header('retry-after'), clock.now()),
    }
  }

  /** The address itself has to be listed where it is one of this box: that a name leads here was not meant. */
  #refusal(address: string, port: number, host: string): string | null {
    if (isThisBox(address)) {
      if (this.#options.ownPorts().includes(port)) return 'it is this Gatehouse itself'
      return sameAddress(host, address) ? null : `${address} is this box itself: list its address`
    }
    return isLocal(address) ? null : `${address} is not in a network of the site`
  }
}
