import type { Destination } from '../../site/index.ts'

/**
 * The destination that a redirect's target belongs to, or null where it may not be gone to. What is listed at that
 * address comes first, and must be of the same class; then the same host (a step up to https counts), unless
 * something of another class is listed there too: what its other addresses do is then not known.
 */
export function listedAt(
  url: URL,
  from: Destination,
  destinations: readonly Destination[],
): Destination | null {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  const there = destinations.filter(each => sameHost(each.url, url))
  const alike = there.filter(each => each.class === from.class)
  const exact = there.filter(each => placeOf(each.url) === placeOf(url))
  if (exact.some(each => each.class !== from.class)) return null
  const [listed] = exact
  if (listed) return listed
  if (alike.length < there.length) return null
  return sameHost(from.url, url) ? from : (alike[0] ?? null)
}

/** Whether `url` is at the host of a listed address: the same origin, or its https. */
function sameHost(listed: URL, url: URL): boolean {
  const upgraded =
    url.hostname === listed.hostname &&
    listed.protocol === 'http:' &&
    url.protocol === 'https:' &&
    url.port === ''
  return url.origin === listed.origin || upgraded
}

/** A path as a lenient server reads it: whichever way it is spelled, it is one place. */
function placeOf({ pathname }: URL): string {
  let path = pathname
  try {
    path = decodeURIComponent(pathname)
  } catch {
    // Not UTF-8 behind its signs: compared as it is.
  }
  return path.toLowerCase().replace(/\/+/g, '/').replace(/\/$/, '')
}
