/**
 * Without a login the box answers this machine only. Binding to loopback keeps other machines out; this keeps out
 * web pages of others in a browser of this machine, which reach loopback too.
 */
import { problem } from './problem.ts'

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/

/** Null where the request may go on, else the refusal. */
export function guard(request: Request): Response | null {
  const host = request.headers.get('host')?.toLowerCase() ?? ''
  // A foreign name that was made to resolve to 127.0.0.1 (DNS rebinding) would count as same-origin.
  if (!LOOPBACK.test(host))
    return problem(
      421,
      'wrong_host',
      'This box answers to localhost and 127.0.0.1 only: there is no login yet.',
    )
  const refused = () =>
    problem(403, 'cross_site', 'Other web sites may not use this box: open its own page instead.')
  const site = request.headers.get('sec-fetch-site')
  const navigates = request.method === 'GET' && request.headers.get('sec-fetch-mode') === 'navigate'
  if (site && site !== 'same-origin' && site !== 'none' && !navigates) return refused()
  if (request.method === 'GET' || request.method === 'HEAD') return null
  const origin = request.headers.get('origin')
  return origin === null || origin.toLowerCase() === `http://${host}` ? null : refused()
}
