import { type Clock, GatehouseError, type JsonValue, messageOf } from '../../core/index.ts'
import { type Home, parseJson } from '../../kinds/index.ts'
import { type HomeAssistantSetting, isThisBox, type Site, sameAddress } from '../../site/index.ts'
import { type ExchangeAnswer, exchange } from '../http/exchange.ts'
import { headerValue } from '../http/listed.ts'
import { noPage } from '../http/page-answer.ts'
import { Poll } from '../nvr/poll.ts'
import { type Secrets, secretFor } from '../secrets.ts'

/** For people, in errors. */
const HOME = 'Home Assistant'
const TIMEOUT_MS = 10_000
const MOST_BYTES = 1024 * 1024
const MOST_BODY_CHARS = 256 * 1024
/** How often it is looked whether the token is still taken. */
const LOOK_MS = 60_000
/** What is on its way to another state is asked again, that often. */
const TURNING = new Set(['opening', 'closing', 'locking', 'unlocking', 'arming', 'disarming', 'pending'])
const MOST_LOOKS = 5
const AGAIN_MS = 1_000

export interface HomeAssistantRestOptions {
  site: () => Site
  secrets: Secrets
  /** Ports on which this box itself listens. */
  ownPorts: () => readonly number[]
  clock: Clock
  /** For one request; default 10 s. */
  timeoutMs?: number
}

/** Home Assistant by its REST API: asked at the one address that the site names, with its token, along no redirect. */
export class HomeAssistantRest implements Home {
  readonly name = HOME
  readonly #options: HomeAssistantRestOptions
  readonly #poll: Poll
  #problem: string | null = null
  #key = ''

  constructor(options: HomeAssistantRestOptions) {
    this.#options = options
    this.#poll = new Poll(options.clock, LOOK_MS, signal => this.#look(signal))
  }

  get lacks(): string | null {
    return this.#setting ? null : 'there is no Home Assistant: name it under home_assistant in the site file'
  }

  get problem(): string | null {
    return this.#setting && this.#problem
  }

  async start(): Promise<void> {
    this.#key = JSON.stringify(this.#setting)
    if (this.#setting) this.#poll.start()
  }

  async reload(): Promise<void> {
    if (JSON.stringify(this.#setting) === this.#key) return
    await this.stop()
    this.#problem = null
    await this.start()
  }

  async stop(): Promise<void> {
    await this.#poll.stop()
  }

  async call({ service, data, deliveryId, correlationId, signal }: Parameters<Home['call']>[0]) {
    const [domain = '', name = ''] = service.split('.')
    const body = JSON.stringify(data)
    if (body.length > MOST_BODY_CHARS)
      throw new GatehouseError('bad_request', `${service}: its data is larger than 256 kB: send less.`)
    const path = `/api/services/${encodeURIComponent(domain)}/${encodeURIComponent(name)}`
    const answer = await this.#visit('POST', path, {
      body,
      ids: { 'webhook-id': deliveryId, 'x-correlation-id': correlationId },
      signal,
    })
    if (answer.status !== 200 && answer.status !== 201) throw refusal(answer, service)
    return { changed: statesIn(answer) }
  }

  async state(entityId: string, { signal }: { signal: AbortSignal }): Promise<string | null> {
    for (let looks = 1; ; looks++) {
      const answer = await this.#visit('GET', `/api/states/${encodeURIComponent(entityId)}`, { signal })
      if (answer.status === 404) return null
      if (answer.status !== 200) throw refusal(answer, entityId)
      const state = stateIn(json(answer))?.state ?? null
      if (state === null || !TURNING.has(state) || looks === MOST_LOOKS) return state
      await this.#pause(signal)
    }
  }

  get #setting(): HomeAssistantSetting | null {
    return this.#options.site().homeAssistant
  }

  async #look(signal: AbortSignal): Promise<void> {
    const answer = await this.#visit('GET', '/api/', { signal })
    if (answer.status !== 200) throw refusal(answer, 'its API')
  }

  async #visit(
    method: string,
    path: string,
    { body, ids = {}, signal }: { body?: string; ids?: Record<string, string>; signal: AbortSignal },
  ): Promise<ExchangeAnswer> {
    const { clock, secrets, timeoutMs = TIMEOUT_MS } = this.#options
    const setting = this.#setting
    if (!setting) throw new GatehouseError('not_possible', `${this.lacks}.`)
    const heard = (problem: string | null) => {
      if (!signal.aborted && this.#setting === setting) this.#problem = problem
    }
    try {
      const token = headerValue(HOME, 'authorization', secretFor(HOME, setting.token.secret, secrets))
      const answer = await exchange({
        ...{ label: HOME, url: new URL(path, setting.url), method, signal, timeoutMs, clock },
        headers: {
          ...{ 'user-agent': 'Gatehouse', accept: 'application/json', authorization: `Bearer ${token}` },
          ...Object.fromEntries(
            Object.entries(ids).map(([header, id]) => [header, headerValue(HOME, header, id)]),
          ),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body }),
        maxBytes: MOST_BYTES,
        refuse: (address, port, host) => this.#refusalOfOwn(address, port, host),
      })
      const { status } = answer
      if (status < 300) noPage(answer, HOME, 'home_assistant.url')
      heard(status === 401 || status === 403 || status >= 500 ? refusal(answer, path).message : null)
      if (status >= 300 && status < 400) throw refusal(answer, path)
      return answer
    } catch (error) {
      heard(messageOf(error))
      throw error
    }
  }

  /** It may run beside this program, where its address itself is named. */
  #refusalOfOwn(address: string, port: number, host: string): string | null {
    if (!isThisBox(address)) return null
    if (this.#options.ownPorts().includes(port)) return 'it is this Gatehouse itself'
    return sameAddress(host, address)
      ? null
      : `${address} is this box itself: write its address into home_assistant.url`
  }

  #pause(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const cancel = this.#options.clock.after(AGAIN_MS, resolve)
    const abort = () => reject(new GatehouseError('destination_unanswered', `${HOME} was not asked again.`))
    signal.addEventListener('abort', abort, { once: true })
    return promise.finally(() => {
      cancel()
      signal.removeEventListener('abort', abort)
    })
  }
}

/** What an answer other than the hoped for means: below 500 that nothing came of it. */
function refusal({ status, body }: ExchangeAnswer, what: string): GatehouseError {
  if (status >= 500)
    return new GatehouseError('destination_unanswered', `${HOME} failed at ${what} (${status}).`, {
      status: 502,
    })
  if (status >= 300 && status < 400)
    return new GatehouseError(
      'destination_redirected',
      `${HOME} redirects: write the address that really takes it into home_assistant.url.`,
      { status: 502 },
    )
  if (status === 401 || status === 403)
    return new GatehouseError(
      'destination_refused',
      `${HOME} does not take the token: make a new long-lived one there and write it into the secret.`,
      { status: 502 },
    )
  const said = new TextDecoder().decode(body.subarray(0, 300)).replaceAll(/\s+/g, ' ')
  return new GatehouseError('destination_refused', `${HOME} does not take ${what} (${status}): ${said}`, {
    status: 502,
  })
}

function json({ body, cut }: ExchangeAnswer): unknown {
  if (cut) return null
  try {
    return parseJson(new TextDecoder().decode(body))
  } catch {
    return null
  }
}

/** What changed while the service ran, as far as it is said in a way that can be read. */
function statesIn(answer: ExchangeAnswer): { entity_id: string; state: string }[] {
  const all = json(answer)
  return Array.isArray(all) ? all.slice(0, 20).flatMap(each => stateIn(each) ?? []) : []
}

function stateIn(value: unknown): { entity_id: string; state: string } | null {
  const { entity_id: id, state } = (value ?? {}) as Record<string, JsonValue | undefined>
  return typeof id === 'string' && typeof state === 'string'
    ? { entity_id: id.slice(0, 255), state: state.slice(0, 255) }
    : null
}
