import { type Clock, GatehouseError, type JsonValue } from '../../core/index.ts'
import type { Outgoing } from '../../kinds/index.ts'
import { type Destination, isThisBox, type Site, sameAddress } from '../../site/index.ts'
import { type Secrets, secretFor } from '../secrets.ts'
import type { Lookup } from './address.ts'
import { exchange } from './exchange.ts'
import { headerValue, listedHeaders } from './listed.ts'
import { listedAt } from './redirects.ts'
import { signed } from './signature.ts'

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
  clock: Clock
  /** For one attempt, all redirects included; default 10 s. */
  timeoutMs?: number
  /** Whether an address is this box's; default: loopback, and what its network interfaces bear. */
  isOwn?: (address: string) => boolean
  /** The addresses of a name; default: what the system says. */
  lookup?: Lookup
}

type Request = Parameters<Outgoing['send']>[0]

/** Sends JSON to the destinations that the site lists, and nowhere else. */
export class HttpOutgoing implements Outgoing {
  readonly #options: HttpOutgoingOptions

  constructor(options: HttpOutgoingOptions) {
    this.#options = options
  }

  /**
   * One attempt. Resolves with any status that the receiver gives, its body cut at 64 kB. What moves something is
   * sent to one place, once: it follows no redirect. Rejects with `destination_unknown`, `bad_request`,
   * `egress_denied`, `destination_unreachable`: nothing has left the box; with `destination_unanswered`: it may
   * have arrived; or with `destination_redirected`: it was read by somebody who sends it on, another try does
   * not change that.
   */
  async send(request: Request): Promise<{ status: number; body: string }> {
    const { to, signal } = request
    const site = this.#options.site()
    const destination = site.destination(to)
    if (!destination) {
      const why = site.topic(to)
        ? `${to} is a topic on the MQTT broker: send to it with mqtt.`
        : `${to} is not listed: add it to the site's destinations.`
      throw new GatehouseError('destination_unknown', why)
    }
    const moves = request.effect === 'move' || destination.class === 'move'
    const method = destination.method ?? request.method.toUpperCase()
    const body = bodyOf(to, method, request.json)
    const own = {
      'user-agent': 'Gatehouse',
      'webhook-id': headerValue(to, 'webhook-id', request.deliveryId),
      'x-correlation-id': headerValue(to, 'x-correlation-id', request.correlationId),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const { clock, lookup, secrets } = this.#options
    const answer = await exchange({
      label: to,
      url: destination.url,
      method,
      headers: {
        ...listedHeaders(destination, secrets),
        ...own,
        ...this.#signature(destination, request, body),
      },
      ...(body === undefined ? {} : { body }),
      signal,
      timeoutMs: this.#options.timeoutMs ?? TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      clock,
      ...(lookup && { lookup }),
      refuse: (address, port, host) => this.#refusalOfOwn(address, port, host, moves),
      ...(!moves && {
        redirect: (url: URL) => {
          const target = listedAt(url, destination, this.#options.site().destinations)
          return (
            target && {
              ...listedHeaders(target, secrets),
              ...own,
              ...this.#signature(target, request, body),
            }
          )
        },
      }),
    })
    if (answer.status >= 300 && answer.status < 400) {
      // Taken, or sent to a page for logging in? The receiver has read it; more is not known.
      throw new GatehouseError(
        'destination_redirected',
        `${to} answered ${answer.status}, a redirect: list the address that really takes it.`,
        { status: 502 },
      )
    }
    return { status: answer.status, body: new TextDecoder().decode(answer.body) }
  }

  /** Each try bears its own time; id and body are the same. */
  #signature({ name, sign }: Destination, { deliveryId: id }: Request, body = ''): Record<string, string> {
    if (!sign) return {}
    const { secrets, clock } = this.#options
    return signed({ id, body, now: clock.now() }, secretFor(name, sign.secret, secrets))
  }

  /**
   * A workflow does not talk this box into doing something: not its own page, and nothing that moves. What only
   * informs may go to another program on the box (a broker, a flow editor) where its address itself is listed;
   * that a name leads there is judged elsewhere for loopback, and here for the other addresses.
   */
  #refusalOfOwn(address: string, port: number, host: string, moves: boolean): string | null {
    const { isOwn = isThisBox, ownPorts } = this.#options
    if (ownPorts().includes(port) && isThisBox(address)) return 'it is this Gatehouse itself'
    if (!isOwn(address)) return null
    if (moves) return 'what moves something must not be on this box itself'
    return sameAddress(host, address) ? null : `${address} is this box itself: list its address`
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
