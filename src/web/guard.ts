/**
 * Keeps out web pages of others in a browser of somebody who may come in. Without a login the box answers this machine
 * only: binding to loopback keeps other machines out, this keeps out names that were made to lead there.
 */
import type { Door } from './access/index.ts'
import { problem } from './problem.ts'

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/

/** Null where the request may go on, else the refusal. */
export function guard({ method, headers }: Request, door: Door): Response | null {
  if (door.console) return null
  const host = headers.get('host')?.toLowerCase() ?? ''
  // Two of them come as one: what stands before the box may have gone by the other.
  if (host.includes(',')) return problem(400, 'bad_host', 'Send one Host: the name of the box.')
  // A foreign name that was made to resolve to 127.0.0.1 (DNS rebinding) would count as same-origin.
  if (door.open && !LOOPBACK.test(host))
    return problem(
      421,
      'wrong_host',
      'This box answers to localhost and 127.0.0.1 only: there is no login yet.',
    )
  const site = headers.get('sec-fetch-site')
  const navigates = method === 'GET' && headers.get('sec-fetch-mode') === 'navigate'
  if (site && site !== 'same-origin' && site !== 'none' && !navigates) return refused()
  if (isRead(method)) return null
  const origin = headers.get('origin')
  return origin === null || isOwn(origin.toLowerCase(), host, door) ? null : refused()
}

/** Whether a request that shows a cookie says that it comes from the box's own page: browsers always do. */
export function saysItsOrigin({ method, headers }: Request): boolean {
  return isRead(method) || headers.has('origin')
}

/** A door with a login may have something before it that encrypts: then the page was opened by https. */
function isOwn(origin: string, host: string, { open, secure }: Door): boolean {
  if (origin === `${secure ? 'https' : 'http'}://${host}`) return true
  return !open && !secure && origin === `https://${host}`
}

const isRead = (method: string) => method === 'GET' || method === 'HEAD'

const refused = () =>
  problem(403, 'cross_site', 'Other web sites may not use this box: open its own page instead.')
