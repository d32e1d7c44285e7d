import { type Clock, GatehouseError, type Log, messageOf } from '../core/index.ts'
import { alertId, type NoticeView, noticeView } from '../engine/index.ts'
import type { NoticeRow, Store } from '../store/index.ts'
import { Backoff } from './backoff.ts'

/** Notices that one channel waits to tell; of more the oldest are passed over, and so is what is older than a week. */
const MOST = 10_000
const OLDEST_MS = 7 * 24 * 3_600_000
/** So many are read at once, and told between two writes of the cursor. */
const BATCH = 64
/** What takes longer than this is tried again. */
const DELIVER_MS = 30_000
const SECOND_MS = 1_000

/** Somebody who is told notices: alerts and notifications, as they are in the table `notices`. */
export interface NoticeChannel {
  /** Names its place in the store: another name is another channel, told only what comes from then on. */
  readonly name: string
  /** What it does not want is passed over. Asked each time: it may change with the site. */
  wants(notice: NoticeView): boolean
  /**
   * Resolves once the receiver has it for good. `id` is the same at every try and by every channel, so that a repeat
   * can be told. Rejects where it did not get through: it is tried again, and what follows waits. What can never get
   * through rejects with `neverTold`.
   */
  deliver(notice: NoticeView, options: { id: string; signal: AbortSignal }): Promise<void>
  /** More are not told in one second; default: as fast as they get through. */
  readonly perSecond?: number
}

/** What a channel rejects with where another try would come to the same. */
export function neverTold(message: string): GatehouseError {
  return new GatehouseError('never_told', message, { status: 502 })
}

export interface FeedOptions {
  channel: NoticeChannel
  store: Store
  clock: Clock
  log: Log
}

/** What was not told since the start, by reason. */
export interface Untold {
  /** Too old, or too many were waiting. */
  expired: number
  /** It could never get through. */
  refused: number
}

/**
 * Tells one channel all notices in their order, each at least once: the cursor moves only behind what was delivered.
 * Nothing is kept besides the cursor; the notices themselves are the outbox.
 */
export class NoticeFeed {
  readonly untold: Untold = { expired: 0, refused: 0 }
  readonly #options: FeedOptions
  readonly #backoff: Backoff
  readonly #abort = new AbortController()
  #cursor = 0
  #working: Promise<void> | null = null
  #again = false
  /** The second that counts, and what was told in it. */
  #second = { at: 0, told: 0 }

  constructor(options: FeedOptions) {
    this.#options = options
    this.#backoff = new Backoff(options.clock)
  }

  /** Goes on where it was; a channel that is new begins with the next notice. */
  async start(): Promise<void> {
    const { store, channel } = this.#options
    const known = store.feeds.cursor(channel.name)
    this.#cursor = known ?? store.notices.last()
    if (known === null) await this.#save()
    this.wake()
  }

  async stop(): Promise<void> {
    this.#abort.abort()
    this.#backoff.cancel()
    await this.#working
  }

  /** There may be something to tell. */
  wake(): void {
    this.#again = true
    this.#working ??= this.#work().finally(() => {
      this.#working = null
      if (this.#again && !this.#abort.signal.aborted) this.wake()
    })
  }

  /** Whoever is told is there again: what waits is not kept waiting. */
  retry(): void {
    this.#backoff.reset()
    this.#backoff.cancel()
  }

  /** As long as there is something to tell. */
  async #work(): Promise<void> {
    while (this.#again && !this.#abort.signal.aborted) {
      this.#again = false
      try {
        while (await this.#batch()) this.#backoff.reset()
      } catch (error) {
        if (this.#abort.signal.aborted) return
        const { channel, log } = this.#options
        log.warn(
          { channel: channel.name, error: messageOf(error) },
          'a notice was not told; it is tried again',
        )
        this.#again = true
        await this.#backoff.wait()
      }
    }
  }

  /** Tells the next few; false: there was nothing. The cursor moves behind those that got through. */
  async #batch(): Promise<boolean> {
    const { store } = this.#options
    const before = this.#cursor
    this.#passOver()
    const rows = store.notices.following(this.#cursor, BATCH)
    try {
      for (const row of rows) {
        await this.#tell(row)
        this.#cursor = row.id
      }
    } finally {
      if (this.#cursor !== before) await this.#save()
    }
    return rows.length > 0
  }

  async #tell(row: NoticeRow): Promise<void> {
    const { store, channel, clock, log } = this.#options
    const notice = noticeView(row, store)
    if (!channel.wants(notice)) return
    if (row.createdAt < clock.now() - OLDEST_MS) {
      this.untold.expired++
      return
    }
    await this.#pace()
    try {
      await this.#deliver(notice, alertId(store.meta.boxId, notice.id, notice.at))
    } catch (error) {
      if (!(error instanceof GatehouseError) || error.code !== 'never_told') throw error
      this.untold.refused++
      log.warn({ channel: channel.name, notice: row.id, error: error.message }, 'a notice is not told')
    }
  }

  async #deliver(notice: NoticeView, id: string): Promise<void> {
    const { channel, clock } = this.#options
    const late = Promise.withResolvers<never>()
    const tooLong = new AbortController()
    const signal = AbortSignal.any([this.#abort.signal, tooLong.signal])
    const stop = () => late.reject(signal.reason ?? new Error('it took too long'))
    signal.addEventListener('abort', stop, { once: true })
    const cancel = clock.after(DELIVER_MS, () => tooLong.abort(new Error('it took too long')))
    try {
      signal.throwIfAborted()
      await Promise.race([channel.deliver(notice, { id, signal }), late.promise])
    } finally {
      cancel()
      signal.removeEventListener('abort', stop)
    }
  }

  /** Of what waits only the newest are told. */
  #passOver(): void {
    const { count, from } = this.#options.store.notices.backlog(this.#cursor, MOST)
    if (count <= MOST) return
    this.untold.expired += count - MOST
    this.#cursor = from
  }

  async #pace(): Promise<void> {
    const { channel, clock } = this.#options
    if (channel.perSecond === undefined) return
    const now = clock.now()
    if (now >= this.#second.at + SECOND_MS || now < this.#second.at) this.#second = { at: now, told: 0 }
    if (this.#second.told >= channel.perSecond) {
      await this.#pause(this.#second.at + SECOND_MS - now)
      this.#second = { at: clock.now(), told: 0 }
    }
    this.#second.told++
  }

  #pause(ms: number): Promise<void> {
    const { signal } = this.#abort
    return new Promise(resolve => {
      const cancel = this.#options.clock.after(ms, done)
      function done() {
        signal.removeEventListener('abort', done)
        cancel()
        resolve()
      }
      signal.addEventListener('abort', done, { once: true })
    })
  }

  #save(): Promise<void> {
    const { store, channel } = this.#options
    const cursor = this.#cursor
    return store.write(() => store.feeds.set(channel.name, cursor))
  }
}
