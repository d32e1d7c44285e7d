import { type Clock, GatehouseError, type Log, messageOf } from '../../core/index.ts'
import type { NoticeView } from '../../engine/index.ts'
import type { Store } from '../../store/index.ts'
import { Backoff } from '../backoff.ts'
import type { Crowd, Handing, NoticeChannel, Surplus, Untold } from './channel.ts'
import type { Outbox, Waiting } from './outbox.ts'

/** Notices that one channel waits to tell; of more the oldest are passed over, and so is what is older than a week. */
const MOST = 10_000
const OLDEST_MS = 7 * 24 * 3_600_000
/** So many are read at once, and told between two writes of the cursor. */
const BATCH = 64
/** What takes longer than this is tried again. */
const DELIVER_MS = 30_000
const SECOND_MS = 1_000
const MINUTE_MS = 60_000
/** Of what is summed up so many are named. */
const NAMED = 5

export interface FeedOptions<T> {
  channel: NoticeChannel<T>
  outbox: Outbox<T>
  store: Store
  clock: Clock
  log: Log
}

/**
 * Tells one channel all that stands in an outbox in its order, each at least once: the cursor moves only behind what was
 * delivered. Nothing is kept besides the cursor; the rows themselves are what waits.
 */
export class NoticeFeed<T = NoticeView> {
  readonly untold: Untold = { expired: 0, refused: 0, summed: 0 }
  readonly #options: FeedOptions<T>
  readonly #backoff: Backoff
  readonly #abort = new AbortController()
  #cursor = 0
  #working: Promise<void> | null = null
  #again = false
  /** The second and the minute that count, and what was told in them. */
  #second = { at: 0, told: 0 }
  #minute = { at: 0, told: 0 }

  constructor(options: FeedOptions<T>) {
    this.#options = options
    this.#backoff = new Backoff(options.clock)
  }

  /** Goes on where it was; a channel that is new begins with the next. */
  async start(): Promise<void> {
    const { store, channel, outbox } = this.#options
    const known = store.feeds.cursor(channel.name)
    this.#cursor = known ?? outbox.last()
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
        this.#options.log.warn(
          { channel: this.#label, error: messageOf(error) },
          'a notice was not told; it is tried again',
        )
        this.#again = true
        await this.#backoff.wait()
      }
    }
  }

  get #label(): string {
    const { name, label = name } = this.#options.channel
    return label
  }

  /** Tells the next few; false: there was nothing. The cursor moves behind those that got through. */
  async #batch(): Promise<boolean> {
    const { outbox, channel } = this.#options
    const before = this.#cursor
    this.#passOver()
    const waiting = outbox.following(this.#cursor, BATCH)
    try {
      for (const each of waiting) {
        const told = this.#wanted(each, () => this.untold.expired++)
        if (told !== null) {
          if (channel.crowd && (await this.#sumUp(channel.crowd))) return true
          await this.#tell(told, each)
        }
        this.#cursor = each.id
      }
    } finally {
      if (this.#cursor !== before) await this.#save()
    }
    return waiting.length > 0
  }

  /** What is to be told of it; null: nothing, it is not wanted or `expired`. */
  #wanted(each: Waiting<T>, expired: () => void = () => undefined): T | null {
    const { channel, clock } = this.#options
    const told = each.read()
    if (told === null || !channel.wants(told)) return null
    if (each.at >= clock.now() - OLDEST_MS) return told
    expired()
    return null
  }

  async #tell(told: T, each: Waiting<T>): Promise<void> {
    const { channel } = this.#options
    await this.#pace()
    await this.#hand(each.told(), handing => channel.deliver(told, handing))
    this.#minute.told++
  }

  /** What can never get through counts as told. */
  async #hand(id: string, deliver: (handing: Handing) => Promise<void>): Promise<void> {
    try {
      await this.#inTime(signal => deliver({ id, signal }))
    } catch (error) {
      if (!(error instanceof GatehouseError) || error.code !== 'never_told') throw error
      this.untold.refused++
      this.#options.log.warn({ channel: this.#label, error: error.message }, 'a notice is not told')
    }
  }

  /**
   * Where the minute's share is told the rest waits for the next minute. True: that was too much for one by one, and
   * all of it is told.
   */
  async #sumUp({ perMinute, weigh, deliver }: Crowd<T>): Promise<boolean> {
    const { clock } = this.#options
    const since = () => clock.now() - this.#minute.at
    if (this.#minute.told < perMinute && (since() >= MINUTE_MS || since() < 0))
      this.#minute = { at: clock.now(), told: 0 }
    if (this.#minute.told < perMinute) return false
    if (since() >= 0 && since() < MINUTE_MS) await this.#pause(MINUTE_MS - since())
    this.#abort.signal.throwIfAborted()
    const { last, surplus } = await this.#gather(weigh)
    if (last && surplus.count > perMinute) {
      await this.#hand(last.told(), handing => deliver(surplus, handing))
      this.untold.summed += surplus.count
      this.#cursor = last.id
      this.#minute = { at: clock.now(), told: 1 }
      return true
    }
    this.#minute = { at: clock.now(), told: 0 }
    return false
  }

  /** All that waits now. */
  async #gather(weigh: (told: T) => number): Promise<{ last: Waiting<T> | null; surplus: Surplus<T> }> {
    const { outbox } = this.#options
    const worst: T[] = []
    let last: Waiting<T> | null = null
    let count = 0
    for (let from = this.#cursor; ; ) {
      const waiting = outbox.following(from, BATCH)
      for (const each of waiting) {
        const told = this.#wanted(each)
        if (told === null) continue
        last = each
        count++
        const at = worst.findIndex(other => weigh(other) <= weigh(told))
        worst.splice(at < 0 ? worst.length : at, 0, told)
        worst.length = Math.min(worst.length, NAMED)
      }
      from = waiting.at(-1)?.id ?? from
      if (waiting.length < BATCH) return { last, surplus: { count, worst } }
      // Thousands may wait: others have their turn between.
      await new Promise<void>(resolve => setImmediate(resolve))
    }
  }

  async #inTime(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const late = Promise.withResolvers<never>()
    const tooLong = new AbortController()
    const signal = AbortSignal.any([this.#abort.signal, tooLong.signal])
    const stop = () => late.reject(signal.reason ?? new Error('it took too long'))
    signal.addEventListener('abort', stop, { once: true })
    const cancel = this.#options.clock.after(DELIVER_MS, () => tooLong.abort(new Error('it took too long')))
    try {
      signal.throwIfAborted()
      await Promise.race([work(signal), late.promise])
    } finally {
      cancel()
      signal.removeEventListener('abort', stop)
    }
  }

  /** Of what waits only the newest are told. */
  #passOver(): void {
    const { count, from } = this.#options.outbox.backlog(this.#cursor, MOST)
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
