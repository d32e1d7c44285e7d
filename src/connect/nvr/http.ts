import { type Clock, GatehouseError, type JsonValue, messageOf } from '../../core/index.ts'
import { parseJson } from '../../kinds/index.ts'
import { isThisBox, type NvrSetting, type Site, sameAddress } from '../../site/index.ts'
import type { Lookup } from '../http/address.ts'
import { type ExchangeAnswer, exchange } from '../http/exchange.ts'
import { headerValue } from '../http/listed.ts'
import { noPage } from '../http/page-answer.ts'
import { type Secrets, secretFor } from '../secrets.ts'
import { Turns } from '../turns.ts'

/** For people, in errors. */
export const NVR = 'the NVR'
const TIMEOUT_MS = 8_000
const MOST_JSON_BYTES = 4 * 1024 * 1024
/** Reads at once, and reads that wait for them: an NVR is a small machine, too. */
const MOST_READS = 8
const MOST_WAITING = 64

export interface NvrHttpOptions {
  site: () => Pick<Site, 'nvr'>
  secrets: Secrets
  /** Ports on which this box itself listens. */
  ownPorts: () => readonly number[]
  clock: Clock
  /** The addresses of a name; default: what the system says. */
  lookup?: Lookup
  /** For one request; default 8 s. */
  timeoutMs?: number
}

export interface NvrRequest {
  /** Behind `/api/v1`, each part of it already as a URL bears it. */
  path: string
  query?: Readonly<Record<string, string>>
  signal: AbortSignal
  timeoutMs?: number
  maxBytes?: number
  /** A picture is asked for: that a camera gives none is no failure of the NVR. */
  picture?: true
  /** Of the run that asks. */
  correlationId?: string
  /** The same over all tries. */
  deliveryId?: string
}

/**
 * The one way to the NVR that the site names: its address checked and pinned, its key in headers and nowhere else,
 * no redirect followed (it would be handed the key).
 */
export class NvrHttp {
  readonly #options: NvrHttpOptions
  readonly #turns = new Turns(MOST_READS, MOST_WAITING)
  #problem: string | null = null

  constructor(options: NvrHttpOptions) {
    this.#options = options
  }

  /** The setting in force, or null. */
  get setting(): NvrSetting | null {
    return this.#options.site().nvr
  }

  /** Why the last request came to nothing, in one line; null: it was answered. */
  get problem(): string | null {
    return this.#problem
  }

  /** Reads that were turned away because too many waited. */
  get shed(): number {
    return this.#turns.shed
  }

  /** Another setting is in force: what was said of the last one does not count. */
  forget(): void {
    this.#problem = null
  }

  /** Reads what is there; null where the NVR says that it has no such thing. Rejects where that was not to be learnt. */
  async read(request: NvrRequest): Promise<ExchangeAnswer | null> {
    const answer = await this.#turns.take(request.signal, () => this.#visit('GET', request))
    if (answer.status === 404) return null
    if (answer.status !== 200) throw this.refusal(answer.status)
    if (answer.cut) throw tooMuch(request.maxBytes ?? MOST_JSON_BYTES)
    return answer
  }

  /** Reads JSON that is not cleaned yet; null as `read` does. */
  async json(request: NvrRequest): Promise<unknown> {
    const answer = await this.read(request)
    return answer && parsed(answer.body)
  }

  /**
   * Sends something once. Resolves with whatever the NVR answers; rejects as `exchange` does, so that what has not
   * left the box and what may have arrived stay apart.
   */
  send(method: 'POST' | 'PUT', request: NvrRequest & { json: JsonValue }): Promise<ExchangeAnswer> {
    return this.#visit(method, request, JSON.stringify(request.json))
  }

  /** What an answer other than the hoped for means: below 500 that nothing came of it. */
  refusal(status: number): GatehouseError {
    const [code, hint] = refusals(status, this.setting)
    return new GatehouseError(code, `${NVR} answered ${status}: ${hint}.`, { status: 502 })
  }

  async #visit(
    method: string,
    {
      path,
      query,
      signal,
      timeoutMs,
      maxBytes = MOST_JSON_BYTES,
      picture,
      correlationId,
      deliveryId,
    }: NvrRequest,
    body?: string,
  ): Promise<ExchangeAnswer> {
    const { clock, lookup } = this.#options
    const { setting } = this
    if (!setting)
      throw new GatehouseError('not_possible', 'there is no NVR: name one under nvr in the site file.')
    const url = new URL(setting.url)
    url.pathname = `${url.pathname.replace(/\/$/, '')}/api/v1${path}`
    url.search = new URLSearchParams(query).toString()
    const heard = (problem: string | null) => {
      // Nobody waits for an answer any more, or another NVR is asked by now: that says nothing about this one.
      if (!signal.aborted && this.setting === setting) this.#problem = problem
    }
    try {
      const answer = await exchange({
        label: NVR,
        url,
        method,
        headers: {
          ...this.#credentials(setting),
          'user-agent': 'Gatehouse',
          accept: picture ? 'image/jpeg, image/png, image/webp' : 'application/json',
          ...(correlationId !== undefined && {
            'x-correlation-id': headerValue(NVR, 'x-correlation-id', correlationId),
          }),
          ...(deliveryId !== undefined && { 'webhook-id': headerValue(NVR, 'webhook-id', deliveryId) }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body }),
        signal,
        timeoutMs: timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS,
        maxBytes,
        clock,
        ...(lookup && { lookup }),
        refuse: (address, port, host) => this.#refusalOfOwn(address, port, host),
      })
      const { status } = answer
      if (body !== undefined && status < 300) noPage(answer, NVR, 'nvr.url')
      heard(isWrong(status, picture === true) ? this.refusal(status).message : null)
      if (status >= 300 && status < 400) throw this.refusal(status)
      return answer
    } catch (error) {
      heard(messageOf(error))
      throw error
    }
  }

  #credentials({ key, token }: NvrSetting): Record<string, string> {
    const { secrets } = this.#options
    const value = (header: string, { secret }: { secret: string }) =>
      headerValue(NVR, header, secretFor(NVR, secret, secrets))
    return {
      ...(key && { 'x-internal-api-key': value('x-internal-api-key', key) }),
      ...(token && { authorization: `Bearer ${value('authorization', token)}` }),
    }
  }

  /** An NVR may run beside this program, where its address itself is named. */
  #refusalOfOwn(address: string, port: number, host: string): string | null {
    if (!isThisBox(address)) return null
    if (this.#options.ownPorts().includes(port)) return 'it is this Gatehouse itself'
    return sameAddress(host, address) ? null : `${address} is this box itself: write its address into nvr.url`
  }
}

/** Answers that say that something is wrong between us, whatever was asked. */
function isWrong(status: number, picture: boolean): boolean {
  return status === 401 || status === 403 || (status >= 300 && status < 400) || (status >= 500 && !picture)
}

function refusals(status: number, setting: NvrSetting | null): [code: string, hint: string] {
  if (status >= 500) return ['destination_unanswered', 'it is not well, look into its log']
  if (status >= 300 && status < 400)
    return ['destination_redirected', 'write the address that really takes it into nvr.url']
  if (status === 401 || status === 403) {
    const names = [setting?.key, setting?.token].flatMap(each => (each ? [`secrets/${each.secret}`] : []))
    return ['destination_refused', `write what it lets in into ${names.join(' or ')} of the data folder`]
  }
  return ['destination_refused', 'it does not take what was asked']
}

function tooMuch(bytes: number): GatehouseError {
  const message = `${NVR} answered with more than ${Math.round(bytes / 1024)} kB: that was not read.`
  return new GatehouseError('bad_answer', message, { status: 502 })
}

function parsed(body: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder().decode(body))
  } catch (cause) {
    const message = `${NVR} answered with what cannot be read: is nvr.url the address of its API?`
    throw new GatehouseError('bad_answer', message, { status: 502, cause })
  }
}
