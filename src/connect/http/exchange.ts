import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { type Clock, GatehouseError, messageOf } from '../../core/index.ts'
import { checkedAddresses, type Lookup, unreachable } from './address.ts'

const MAX_HOPS = 3

export interface ExchangeRequest {
  /** For people, in errors: `chat`, `camera gate`. Addresses and headers are never in errors. */
  label: string
  url: URL
  method: string
  headers: Readonly<Record<string, string>>
  body?: string | Uint8Array
  /** The caller's, and the end of patience for all hops together. */
  signal: AbortSignal
  timeoutMs: number
  clock: Clock
  /** The addresses of a name; default: what the system says. */
  lookup?: Lookup
  /** More of an answer is not read. */
  maxBytes: number
  /** Takes a body of 200 or 206 as it comes, however large; the answer's own body is empty then. */
  take?(head: BodyHead, chunks: AsyncIterable<Uint8Array>): Promise<void>
  /** Why this box may not connect there (`host` as in the URL), beyond what holds for every address; null: it may. */
  refuse?(address: string, port: number, host: string): string | null
  /** The headers for a redirect's target, or null if it may not be followed. Absent: a redirect is the answer. */
  redirect?(to: URL): Readonly<Record<string, string>> | null
}

/** What an answer says of the body that follows. */
export interface BodyHead {
  status: number
  header(name: string): string | null
}

export interface ExchangeAnswer {
  status: number
  body: Uint8Array
  /** There was more than `maxBytes`. */
  cut: boolean
  /** Where the answer points to, if it is a redirect that was not followed. */
  location: string | undefined
  /** One of its headers, by its name in small letters. */
  header(name: string): string | null
}

/**
 * One request to a listed place. Its name is resolved once, every address is checked, and the connection goes
 * to a checked address, so that a second resolution cannot lead elsewhere; each redirect is judged anew.
 * Rejects with `egress_denied` and `destination_unreachable` (nothing has left the box), with `destination_unanswered`
 * (it may have arrived), or with `destination_redirected` (it was read and sent on to where it may not go).
 */
export async function exchange(request: ExchangeRequest): Promise<ExchangeAnswer> {
  const late = new AbortController()
  const cancel = request.clock.after(request.timeoutMs, () => late.abort())
  try {
    return await follow(request, AbortSignal.any([request.signal, late.signal]))
  } finally {
    cancel()
  }
}

async function follow(request: ExchangeRequest, signal: AbortSignal): Promise<ExchangeAnswer> {
  let answer = await visit(request, request.url, request.headers, signal)
  if (!request.redirect) return answer
  let from = request.url
  for (let hop = 0; ; hop++) {
    const to = redirectOf(answer, request.method, from)
    if (!to) return answer
    if (hop === MAX_HOPS) throw redirected(request.label, `more than ${MAX_HOPS} times`)
    const headers = request.redirect(to)
    if (!headers) throw redirected(request.label, 'to a place that is not listed')
    answer = await visit(request, to, headers, signal).catch(error => {
      throw onTheWay(request.label, error)
    })
    from = to
  }
}

/** A failure behind a redirect: whoever redirected has read the request. */
function onTheWay(label: string, error: unknown): unknown {
  if (!(error instanceof GatehouseError)) return error
  const { code, message } = error
  if (code === 'egress_denied') return redirected(label, `to where it may not go (${message.slice(0, -1)})`)
  if (code !== 'destination_unreachable') return error
  return new GatehouseError('destination_unanswered', message, { status: 502, cause: error })
}

async function visit(
  request: ExchangeRequest,
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<ExchangeAnswer> {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const { label, lookup, refuse } = request
  const asked = { label, url, port, signal, ...(lookup && { lookup }), ...(refuse && { refuse }) }
  const addresses = await checkedAddresses(asked)
  let error: GatehouseError | null = null
  for (const address of addresses) {
    try {
      return await connect(request, url, address, headers, signal)
    } catch (thrown) {
      if (!(thrown instanceof GatehouseError) || thrown.code !== 'destination_unreachable') throw thrown
      error = thrown
    }
  }
  throw error ?? unreachable(label, 'its name has no address')
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
    const answer = request.take ? handOn(incoming, request.take) : null
    void (answer ?? read(incoming, request.maxBytes)).then(resolve, fail)
  })
  const fail = (error: unknown) => {
    reject(failureOf(request.label, signal, error))
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

type Take = NonNullable<ExchangeRequest['take']>

/** Null where the answer bears no body that is wanted. */
function handOn(incoming: IncomingMessage, take: Take): Promise<ExchangeAnswer> | null {
  const { statusCode: status = 0, headers } = incoming
  if (status !== 200 && status !== 206) return null
  const header = headerOf(headers)
  const none = { status, body: new Uint8Array(), cut: false, location: undefined, header }
  return take({ status, header }, incoming as AsyncIterable<Uint8Array>).then(() => none)
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
    header: headerOf(incoming.headers),
  }
}

const headerOf = (headers: IncomingMessage['headers']) => (name: string) => {
  const value = headers[name]
  return typeof value === 'string' ? value : null
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

/** What whoever takes a body throws is theirs. */
function failureOf(label: string, signal: AbortSignal, error: unknown): GatehouseError {
  if (error instanceof GatehouseError) return error
  return neverSent(error) ? unreachable(label, causeOf(error), error) : unanswered(label, signal, error)
}

function causeOf(error: unknown): string {
  return NO_HANDSHAKE.test(codeOf(error))
    ? 'no secure connection came about, check its https and its certificate'
    : 'nothing answers there'
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? '')
}

function redirected(label: string, where: string): GatehouseError {
  const message = `${label} redirects ${where}: list the address that really takes it.`
  return new GatehouseError('destination_redirected', message, { status: 502 })
}

function unanswered(label: string, signal: AbortSignal, cause: unknown): GatehouseError {
  const why = signal.aborted ? 'in time' : `(${messageOf(cause)})`
  return new GatehouseError('destination_unanswered', `${label} did not answer ${why}.`, {
    status: 504,
    cause,
  })
}
