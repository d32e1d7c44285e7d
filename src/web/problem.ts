/** Errors on the wire: always `application/problem+json` (RFC 9457), with our stable `code` beside it. */
import { STATUS_CODES } from 'node:http'
import { GatehouseError, type JsonValue, type Log, messageOf } from '../core/index.ts'

export interface ProblemOptions {
  headers?: Record<string, string>
  /** More members of the document, such as `problems` of a file. */
  extra?: Record<string, JsonValue>
}

/** A problem document. `detail` is one sentence that says what to do. */
export function problem(
  status: number,
  code: string,
  detail: string,
  { headers = {}, extra = {} }: ProblemOptions = {},
): Response {
  const title = STATUS_CODES[status] ?? 'Error'
  const body = JSON.stringify({ type: 'about:blank', title, status, detail, code, ...extra })
  return new Response(body, { status, headers: { 'content-type': 'application/problem+json', ...headers } })
}

/** Whatever was thrown as a problem: what is ours is told, what is not is logged and stays inside. */
export function problemOf(error: unknown, log: Log): Response {
  if (error instanceof GatehouseError) {
    const status = error.status >= 400 && error.status <= 599 ? error.status : 500
    if (error.code === 'busy') {
      log.warn({ code: error.code }, 'a request found no room')
      return problem(status, error.code, error.message, { headers: { 'retry-after': '2' } })
    }
    if (status >= 500) log.error({ code: error.code, error: error.message }, 'a request failed')
    else log.debug({ code: error.code }, 'a request was refused')
    return problem(status, error.code, error.message)
  }
  log.error(
    { error: messageOf(error), stack: error instanceof Error ? error.stack : undefined },
    'a request failed',
  )
  return problem(500, 'internal', 'Something went wrong here: the log of the box says what.')
}

/** For a route's handler to throw. */
export function notFound(what: string): GatehouseError {
  return new GatehouseError('not_found', `There is no such ${what}.`, { status: 404 })
}
