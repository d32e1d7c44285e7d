import { type Clock, GatehouseError } from '../../core/index.ts'
import type { Download } from '../../models/index.ts'
import { type Destination, isThisBox, type Site, sameAddress } from '../../site/index.ts'
import type { Secrets } from '../secrets.ts'
import type { Lookup } from './address.ts'
import { exchange } from './exchange.ts'
import { listedHeaders } from './listed.ts'
import { listedAt } from './redirects.ts'

export interface SiteDownloadOptions {
  site: () => Site
  secrets: Secrets
  clock: Clock
  /** The addresses of a name; default: what the system says. */
  lookup?: Lookup
}

/** Longest that a whole file may take. */
const MOST_MS = 24 * 3_600_000
/** Longest that nothing may arrive. */
const IDLE_MS = 60_000

/** Fetches files from hosts that the site lists, along redirects to hosts that it lists too. */
export class SiteDownload implements Download {
  readonly #options: SiteDownloadOptions

  constructor(options: SiteDownloadOptions) {
    this.#options = options
  }

  async get({ url, headers, take, signal }: Parameters<Download['get']>[0]): Promise<{ status: number }> {
    const { secrets, clock, lookup } = this.#options
    const listed = this.#listed(url)
    if (!listed) throw unlisted(url)
    const idle = new AbortController()
    let cancel = clock.after(IDLE_MS, () => idle.abort())
    const heard = () => {
      cancel()
      cancel = clock.after(IDLE_MS, () => idle.abort())
    }
    let refused: URL | null = null
    try {
      const { status } = await exchange({
        label: url.host,
        url,
        method: 'GET',
        headers: { ...listedHeaders(listed, secrets), 'user-agent': 'Gatehouse', ...headers },
        signal: AbortSignal.any([signal, idle.signal]),
        timeoutMs: MOST_MS,
        maxBytes: 64 * 1024,
        clock,
        ...(lookup && { lookup }),
        take: (head, chunks) => take(head, eachHeard(chunks, heard)),
        refuse: (address, _port, host) =>
          isThisBox(address) && !sameAddress(host, address) ? `${address} is this box itself` : null,
        redirect: to => {
          heard()
          const there = listedAt(to, listed, this.#options.site().destinations)
          if (!there) refused = to
          return there && { ...listedHeaders(there, secrets), 'user-agent': 'Gatehouse', ...headers }
        },
      })
      return { status }
    } catch (error) {
      throw refused === null ? error : unlisted(refused)
    } finally {
      cancel()
    }
  }

  #listed(url: URL): Destination | null {
    const there = this.#options.site().destinations.filter(each => each.url.origin === url.origin)
    // What moves something there is not asked for files.
    return there.some(each => each.class === 'move') ? null : (there[0] ?? null)
  }
}

async function* eachHeard(chunks: AsyncIterable<Uint8Array>, heard: () => void): AsyncIterable<Uint8Array> {
  for await (const chunk of chunks) {
    heard()
    yield chunk
  }
}

/** Says what to write into the site file. Only the host is told: what follows it may bear a key. */
function unlisted({ origin, hostname }: URL): GatehouseError {
  const name = hostname.toLowerCase().replace(/[^a-z0-9]+/g, '_')
  const line = `${/^[a-z]/.test(name) ? name : `host_${name}`}: { url: ${origin}, class: read }`
  return new GatehouseError(
    'egress_denied',
    `nothing is fetched from ${hostname}, which the site does not list: bring the file by USB stick, or add under destinations in site.yaml: ${line}`,
    { status: 403 },
  )
}
