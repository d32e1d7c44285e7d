import { networkInterfaces } from 'node:os'
import type { Effect } from '../contract/index.ts'
import { isLoopback, sameAddress } from './egress.ts'

/** Whether an address is one of this box. */
export function isThisBox(address: string): boolean {
  const mine = Object.values(networkInterfaces()).flatMap(list => list ?? [])
  return isLoopback(address) || mine.some(own => sameAddress(own.address, address))
}

/**
 * Why nothing will ever be sent to a destination that is listed like this, as far as its address alone says so, or
 * null. The same is asked again of the real address when something is sent.
 */
export function unreachable({ url, class: effect }: { url: URL; class: Effect }): string | null {
  const { hostname } = url
  const named = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (effect === 'move' && (named || isThisBox(hostname)))
    return 'what moves something must not be on this box itself: give what moves an address of its own'
  return named ? `${hostname} is a name, and names must not lead to this box: write 127.0.0.1` : null
}
