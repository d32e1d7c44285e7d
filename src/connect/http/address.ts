import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { GatehouseError } from '../../core/index.ts'
import { refusalOf } from '../../site/index.ts'

/** All addresses of a name, in the order in which they are tried. */
export type Lookup = (host: string) => Promise<readonly string[]>

/** What the system says. */
export const systemLookup: Lookup = async host => {
  const found = await lookup(host, { all: true, verbatim: true })
  return found.map(({ address }) => address)
}

export interface AddressRequest {
  /** For people, in errors. */
  label: string
  url: URL
  port: number
  signal: AbortSignal
  lookup?: Lookup
  /** Why this box may not connect there (`host` as in the URL), beyond what holds for every address; null: it may. */
  refuse?(address: string, port: number, host: string): string | null
}

/**
 * The addresses of a listed place, every one of them checked: its name is resolved once, and whoever connects to one of
 * these is led nowhere else by a second resolution. Rejects with `egress_denied` or `destination_unreachable`.
 */
export async function checkedAddresses(request: AddressRequest): Promise<readonly string[]> {
  const { label, url, port } = request
  const addresses = await resolve(request)
  for (const address of addresses) {
    const refusal = refusalOf(address, url.hostname) ?? request.refuse?.(address, port, url.hostname)
    if (refusal)
      throw new GatehouseError('egress_denied', `${label} was not contacted: ${refusal}.`, { status: 403 })
  }
  if (!addresses.length) throw unreachable(label, 'its name has no address')
  return addresses
}

/** A literal address is its own. */
async function resolve({ label, url, signal, lookup = systemLookup }: AddressRequest) {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  if (isIP(host)) return [host]
  try {
    return await orAborted(lookup(host), signal)
  } catch (error) {
    const why = signal.aborted ? 'its name was not resolved in time' : 'its name is not known'
    throw unreachable(label, why, error)
  }
}

/** Nothing has left the box. */
export function unreachable(label: string, why: string, cause?: unknown): GatehouseError {
  return new GatehouseError('destination_unreachable', `${label} cannot be reached: ${why}.`, {
    status: 502,
    cause,
  })
}

async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
