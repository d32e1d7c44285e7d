/** With which codes a route refuses: those that follow from its line in the table, and those that are said of it. */
import type { Route } from './route.ts'

type Codes = Readonly<Record<number, readonly string[]>>

/** By status, in rising order. */
export function refusals(
  { path, permission, query, body, method }: Omit<Route, 'handle'>,
  own: Codes = {},
): Map<number, string[]> {
  const all: Codes[] = [own, { 400: ['bad_host'], 403: ['cross_site'], 421: ['wrong_host'] }]
  if (path.startsWith('/api/')) all.push({ 503: ['starting', 'not_running'] })
  if (permission === 'public') all.push({ 403: ['no_origin'] })
  else if (permission !== 'hook')
    all.push({
      401: ['claim_needed', 'login_needed', 'bad_token'],
      403: ['forbidden', 'no_origin', 'not_here'],
    })
  if (path.includes(':')) all.push({ 404: ['not_found'] })
  if (query) all.push({ 400: ['bad_query'] })
  if (body) all.push({ 400: ['bad_encoding', 'broken_off'], 413: ['too_large'], 503: ['busy'] })
  if (body === 'csv') all.push({ 415: ['unsupported_type'] })
  else if (body) all.push({ 400: ['bad_json'], 415: ['unsupported_type'], 422: ['bad_body'] })
  if (/^(\/api\/v1\/workflows\/:id|\/api\/v1\/runs\/:id)\//.test(path) && method !== 'GET')
    all.push({ 403: ['out_of_scope'] })
  if (method !== 'GET') all.push({ 507: ['disk_full'] })
  const found = new Map<number, Set<string>>()
  for (const [status, codes] of all.flatMap(each => Object.entries(each)))
    found.set(Number(status), (found.get(Number(status)) ?? new Set()).union(new Set(codes)))
  return new Map([...found].sort(([a], [b]) => a - b).map(([status, codes]) => [status, [...codes].sort()]))
}
