import { networkInterfaces } from 'node:os'
import { GatehouseError, type JsonValue } from '../core/index.ts'
import type { Outgoing } from '../kinds/index.ts'
import { type Destination, isLoopback, type Site, sameAddress } from '../site/index.ts'
import { exchange } from './exchange.ts'
import type { Secrets } from './secrets.ts'

const TIMEOUT_MS = 10_000
/** As much of an answer as is read. */
const MAX_ANSWER_BYTES = 64 * 1024
const MAX_BODY_CHARS = 256 * 1024
const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

export interface HttpOutgoingOptions {
  site: () => Site
  secrets: Secrets
  /** Ports on which this box itself listens: it does not talk itself into doing something. */
  ownPorts: () => readonly number[]
  /** For one attempt, all redirects included; default 10 s. */
  timeoutMs?: number
}

/** Sends JSON to the destinations that the site lists, and nowhere else. */
export class HttpOutgoing implements Outgoing {
  readonly #options: HttpOutgoingOptions

  constructor(options: HttpOutgoingOptions) {
    this.#options = options
  }

  /**
   * One attempt. Resolves with any status that the receiver gives, its body cut at 64 kB. Rejects with
   * `destination_unknown`, `bad_request`, `egress_denied`, `destination_unreachable`: nothing has left the box;
   * or `destination_unanswered`: it may have arrived.
   */
  async send(request: {
    to: string
    method: string
    json: JsonValue
    deliveryId: string
    signal: AbortSignal
  }): Promise<{ status: number; body: string }> {
    const { to, signal } = request
    const destination = this.#options.site().destination(to)
    if (!destination) {
      throw new GatehouseError(
        'destination_unknown',
        `${to} is not listed: add it to the site's destinations.`,
      )
    }
    const method = destination.method ?? request.method.toUpperCase()
    const body = bodyOf(to, method, request.json)
    const own = {
      'user-agent': 'Gatehouse',
      'webhook-id': headerValue(to, 'webhook-id', request.deliveryId),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const answer = await exchange({
      label: to,
      url: destination.url,
      method,
      headers: { ...this.#listedHeaders(destination), ...own },
      ...(body === undefined ? {} : { body }),
      signal,
      timeoutMs: this.#options.timeoutMs ?? TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      refuse: (address, port) => this.#refusalOfOwn(address, port),
      redirect: url => {
        const target = this.#listedAt(url, destination)
        return target && { ...this.#listedHeaders(target), ...own }
      },
    })
    if (answer.status >= 300 && answer.status < 400) {
      // Taken, or sent to a page for logging in? The receiver has read it; more is not known.
      throw new GatehouseError(
        'destination_unanswered',
        `${to} answered ${answer.status}, a redirect: list the address that really takes it.`,
        { status: 502 },
      )
    }
    return { status: answer.status, body: new TextDecoder().decode(answer.body) }
  }

  /**
   * The destination that a redirect's target belongs to: the same host (a step up to https counts), or another
   * listed one of the same class.
   */
  #listedAt(url: URL, from: Destination): Destination | null {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
    const upgraded =
      url.hostname === from.url.hostname &&
      from.url.protocol === 'http:' &&
      url.protocol === 'https:' &&
      url.port === ''
    if (url.origin === from.url.origin || upgraded) return from
    const { destinations } = this.#options.site()
    return destinations.find(other => other.url.origin === url.origin && other.class === from.class) ?? null
  }

  #listedHeaders({ name, headers }: Destination): Record<string, string> {
    const values = headers.map(({ name: header, value }): [string, string] => {
      if (typeof value === 'string') return [header.toLowerCase(), value]
      const secret = this.#options.secrets.get(value.secret)
      if (secret === null) {
        throw new GatehouseError(
          'bad_request',
          `${name} needs the secret ${value.secret}: write it into the file secrets/${value.secret} of the data folder.`,
        )
      }
      return [header.toLowerCase(), headerValue(name, header, secret)]
    })
    return Object.fromEntries(values)
  }

  #refusalOfOwn(address: string, port: number): string | null {
    if (!this.#options.ownPorts().includes(port)) return null
    const mine = Object.values(networkInterfaces()).flatMap(list => list ?? [])
    const here = isLoopback(address) || mine.some(own => sameAddress(own.address, address))
    return here ? 'it is this Gatehouse itself' : null
  }
}

function bodyOf(to: string, method: string, json: JsonValue): string | undefined {
  if (!METHODS.has(method)) {
    throw new GatehouseError(
      'bad_request',
      `${to}: ${method.slice(0, 20)} is not one of ${[...METHODS].join(', ')}.`,
    )
  }
  if (json === null) return undefined
  if (method === 'GET')
    throw new GatehouseError('bad_request', `${to}: GET carries no json: use POST, or leave it out.`)
  const text = JSON.stringify(json)
  if (text.length > MAX_BODY_CHARS) {
    throw new GatehouseError(
      'bad_request',
      `${to}: the json is larger than ${MAX_BODY_CHARS / 1024} kB: send less.`,
    )
  }
  return text
}

function headerValue(to: string, header: string, value: string): string {
  if (/^[\x20-\x7e]{1,4096}$/.test(value)) return value
  throw new GatehouseError('bad_request', `${to}: the value of ${header} must be plain ASCII on one line.`)
}
