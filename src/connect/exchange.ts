import { lookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { GatehouseError, messageOf } from '../core/index.ts'
import { refusalOf } from '../site/index.ts'

const MAX_HOPS = 3

export interface ExchangeRequest {
  /** For people, in errors: `chat`, `camera gate`. Addresses and headers are never in errors. */
  label: string
  url: URL
  method: string
  headers: Readonly<Record<string, string>>
  body?: string
  /** The caller's, and the end of patience for all hops together. */
  signal: AbortSignal
  timeoutMs: number
  /** More of an answer is not read. */
  maxBytes: number
  /** Why this box may not connect there, beyond what holds for every address; null: it may. */
  refuse?(address: string, port: number): string | null
  /** The headers for a redirect's target, or null if it may not be followed. */
  redirect(to: URL): Readonly<Record<string, string>> | null
}

export interface ExchangeAnswer {
  status: number
  body: Uint8Array
  /** There was more than `maxBytes`. */
  cut: boolean
  /** Where the answer points to, if it is a redirect that was not followed. */
  location: string | undefined
}

/**
 * One request to a listed place. Its name is resolved once, every address is checked, and the connection goes
 * to a checked address, so that a second resolution cannot lead elsewhere; each redirect is judged anew.
 * Rejects with `egress_denied` and `destination_unreachable` (nothing has left the box), or with
 * `destination_unanswered` (it may have arrived).
 */
export async function exchange(request: ExchangeRequest): Promise<ExchangeAnswer> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(request.timeoutMs)])
  let { url, headers } = request
  for (let hop = 0; ; hop++) {
    const answer = await visit(request, url, headers, signal)
    const next = redirectOf(answer, request.method, url)
    if (!next) return answer
    if (hop === MAX_HOPS) throw denied(request.label, `it redirects more than ${MAX_HOPS} times`)
    const allowed = request.redirect(next)
    if (!allowed) throw denied(request.label, 'it redirects to a place that is not listed')
    url = next
    headers = allowed
  }
}

async function visit(
  request: ExchangeRequest,
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<ExchangeAnswer> {
  const addresses = await resolve(request.label, url, signal)
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  for (const address of addresses) {
    const refusal = refusalOf(address, url.hostname) ?? request.refuse?.(address, port)
    if (refusal) throw denied(request.label, refusal)
  }
  let error: GatehouseError | null = null
  for (const address of addresses) {
    try {
      return await connect(request, url, address, headers, signal)
    } catch (thrown) {
      if (!(thrown instanceof GatehouseError) || thrown.code !== 'destination_unreachable') throw thrown
      error = thrown
    }
  }
  throw error ?? unreachable(request.label, 'its name has no address')
}

/** The addresses of a URL's host; a literal one is its own. */
async function resolve(label: string, url: URL, signal: AbortSignal): Promise<string[]> {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  if (isIP(host)) return [host]
  try {
    const found = await orAborted(lookup(host, { all: true, verbatim: true }), signal)
    return found.map(({ address }) => address)
  } catch (error) {
    throw unreachable(
      label,
      signal.aborted ? 'its name was not resolved in time' : 'its name is not known',
      error,
    )
  }
}

function connect(
  request: ExchangeRequest,
  url: URL,
  address: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<ExchangeAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<ExchangeAnswer>()
  if (signal.aborted) return Promise.reject(unreachable(request.label, 'there was no time left'))
  const pinned = { address, family: isIP(address) }
  const options: RequestOptions = {
    method: request.method,
    headers: { ...headers, connection: 'close', 'accept-encoding': 'identity' },
    agent: false,
    lookup: (_host, { all }, callback) => {
      if (all) callback(null, [pinned])
      else callback(null, pinned.address, pinned.family)
    },
  }
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  const outgoing = send(url, options, incoming => {
    read(incoming, request.maxBytes).then(resolve, fail)
  })
  const fail = (error: unknown) => {
    reject(
      neverSent(error)
        ? unreachable(request.label, causeOf(error), error)
        : unanswered(request.label, signal, error),
    )
    outgoing.destroy()
  }
  const abort = () => fail(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  outgoing.on('error', fail)
  outgoing.end(request.body)
  return promise.finally(() => {
    signal.removeEventListener('abort', abort)
    outgoing.destroy()
  })
}

async function read(incoming: IncomingMessage, maxBytes: number): Promise<ExchangeAnswer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
    chunks.push(chunk)
    bytes += chunk.byteLength
    if (bytes > maxBytes) break
  }
  return {
    status: incoming.statusCode ?? 0,
    // A copy of its own: a view would hold on to all that was read.
    body: new Uint8Array(Buffer.concat(chunks).subarray(0, maxBytes)),
    cut: bytes > maxBytes,
    location: incoming.headers.location,
  }
}

/**
 * Where an answer sends us, or null. A request with a body is only sent on where that means "the same again,
 * there": behind another redirect it has been taken, and the answer stands.
 */
function redirectOf({ status, location }: ExchangeAnswer, method: string, from: URL): URL | null {
  const again = status === 307 || status === 308
  if (!location || !(again || (method === 'GET' && [301, 302, 303].includes(status)))) return null
  return URL.parse(location, from)
}

const NO_CONNECTION =
  /^(ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|EHOSTDOWN|EADDRNOTAVAIL|ConnectionRefused|FailedToOpenSocket)$/
const NO_HANDSHAKE = /CERT|SELF_SIGNED|UNABLE_TO|WRONG_VERSION|HANDSHAKE/

/** Errors of the network and of the TLS handshake: they come before a request is written. */
function neverSent(error: unknown): boolean {
  return NO_CONNECTION.test(codeOf(error)) || NO_HANDSHAKE.test(codeOf(error))
}

function causeOf(error: unknown): string {
  return NO_HANDSHAKE.test(codeOf(error))
    ? 'no secure connection came about, check its https and its certificate'
    : 'nothing answers there'
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? '')
}

function denied(label: string, why: string): GatehouseError {
  return new GatehouseError('egress_denied', `${label} was not contacted: ${why}.`, { status: 403 })
}

function unreachable(label: string, why: string, cause?: unknown): GatehouseError {
  return new GatehouseError('destination_unreachable', `${label} cannot be reached: ${why}.`, {
    status: 502,
    cause,
  })
}

function unanswered(label: string, signal: AbortSignal, cause: unknown): GatehouseError {
  const why = signal.aborted ? 'in time' : `(${messageOf(cause)})`
  return new GatehouseError('destination_unanswered', `${label} did not answer ${why}.`, {
    status: 504,
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
