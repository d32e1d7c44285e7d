import { type Clock, GatehouseError, type JsonValue, type Log } from '../../core/index.ts'
import type { SiteModePort, SiteModeWhy } from '../../kinds/index.ts'
import type { SiteMode } from '../../site/index.ts'
import { NVR, type NvrHttp } from './http.ts'
import { Poll } from './poll.ts'

/** How often the NVR is asked for its mode. */
const EVERY_MS = 5_000
/** As much of a reason as the NVR keeps. */
const MOST_REASON = 200
const NAME = /^[a-z][a-z0-9_-]{0,63}$/

/**
 * The site's mode where the NVR keeps it: what it said last counts, also over restarts and while it is away; setting
 * it asks the NVR. Where the site file leaves the mode to the box, the NVR is neither asked nor told.
 */
export class NvrMode implements SiteModePort {
  readonly #http: NvrHttp
  readonly #own: SiteMode
  readonly #clock: Clock
  readonly #log: Log
  readonly #poll: Poll
  /** When the NVR last said a mode that the site has, epoch ms. */
  #checkedAt: number | null = null
  #problem: string | null = null
  /** Counts what was set from here: what the NVR was asked before that does not count. */
  #sets = 0

  constructor(http: NvrHttp, own: SiteMode, clock: Clock, log: Log) {
    this.#http = http
    this.#own = own
    this.#clock = clock
    this.#log = log
    this.#poll = new Poll(clock, EVERY_MS, signal => this.#check(signal))
  }

  start(): void {
    if (this.#isNvrs) this.#poll.start()
  }

  async stop(): Promise<void> {
    await this.#poll.stop()
    this.#checkedAt = null
    this.#problem = null
  }

  /** Why what the NVR says does not count, in one line, or null. */
  get problem(): string | null {
    return this.#problem
  }

  view(): JsonValue {
    const checked = this.#checkedAt === null ? null : new Date(this.#checkedAt).toISOString()
    return {
      mode: this.get(),
      kept_by: this.#isNvrs ? 'nvr' : 'box',
      ...(this.#isNvrs && { checked_at: checked }),
    }
  }

  get(): string {
    return this.#own.get()
  }

  async set(mode: string, why: SiteModeWhy = {}): Promise<void> {
    this.#own.known(mode)
    if (!this.#isNvrs) return this.#own.set(mode)
    this.#sets++
    try {
      await this.#put(mode, why)
      await this.#own.set(mode)
      this.#checkedAt = this.#clock.now()
    } finally {
      this.#sets++
      // What came of it is looked up, whatever was answered.
      this.#poll.now()
    }
  }

  async #put(mode: string, { reason, correlationId, signal = new AbortController().signal }: SiteModeWhy) {
    const answer = await this.#http.send('PUT', {
      path: '/site-mode',
      json: { mode, reason: [...(reason ?? 'Gatehouse')].slice(0, MOST_REASON).join('') },
      signal,
      ...(correlationId !== undefined && { correlationId }),
    })
    if (answer.status === 422) {
      const message = `${NVR} knows no mode ${mode}: use one of its own, or site_mode: box under nvr.`
      throw new GatehouseError('mode_unknown', message)
    }
    if (answer.status !== 200 && answer.status !== 204) throw this.#http.refusal(answer.status)
  }

  async #check(signal: AbortSignal): Promise<void> {
    const before = this.#sets
    const mode = modeIn(await this.#http.json({ path: '/internal/app/site-mode', signal }))
    if (mode === null) throw new GatehouseError('bad_answer', `${NVR} did not say its mode.`, { status: 502 })
    if (before !== this.#sets || signal.aborted) return
    try {
      this.#own.known(mode)
    } catch {
      this.#problem = `${NVR} is in the mode ${mode}, which this site does not have: add it under modes.`
      return
    }
    if (mode !== this.#own.get()) {
      this.#log.info({ from: this.#own.get(), to: mode }, 'the NVR changed the mode of the site')
      await this.#own.set(mode)
    }
    this.#problem = null
    this.#checkedAt = this.#clock.now()
  }

  get #isNvrs(): boolean {
    return this.#http.setting?.siteMode === 'nvr'
  }
}

/** Null where no name of a mode is in it. */
function modeIn(answer: unknown): string | null {
  if (answer === null || typeof answer !== 'object' || !Object.hasOwn(answer, 'mode')) return null
  const { mode } = answer as { mode: unknown }
  return typeof mode === 'string' && NAME.test(mode) ? mode : null
}
