import type { Bus, Clock, Log } from '../core/index.ts'
import type { EngineTopics } from '../engine/index.ts'
import type { Store } from '../store/index.ts'
import { type NoticeChannel, NoticeFeed } from './notice-feed.ts'

export interface NoticeFeedsOptions {
  store: Store
  bus: Bus<EngineTopics>
  clock: Clock
  log: Log
  /** The channels that the site uses, as it is now; one object as long as its name stays the same. */
  channels: () => readonly NoticeChannel[]
}

/** What people are told goes out by every channel that the site uses; each has its own pace. */
export class NoticeFeeds {
  readonly name = 'Notices'
  /** Each channel says itself what is wrong with it. */
  readonly problem = null
  readonly #options: NoticeFeedsOptions
  readonly #feeds = new Map<string, NoticeFeed>()
  #off: (() => void) | null = null
  /** Of channels that are gone. */
  #before: Record<string, number> = {}

  constructor(options: NoticeFeedsOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    this.#off = this.#options.bus.on('notice', () => {
      for (const feed of this.#feeds.values()) feed.wake()
    })
    await this.reload()
  }

  /** A channel that is gone is forgotten: should it come again, it is not told what was meanwhile. */
  async reload(): Promise<void> {
    if (!this.#off) return
    const { channels, store } = this.#options
    const wanted = new Map(channels().map(channel => [channel.name, channel]))
    for (const [name, feed] of this.#feeds) if (!wanted.has(name)) await this.#end(name, feed)
    const gone = store.feeds.names().filter(name => !wanted.has(name))
    if (gone.length) await store.write(() => gone.forEach(name => void store.feeds.remove(name)))
    for (const [name, channel] of wanted) {
      if (this.#feeds.has(name)) continue
      const feed = new NoticeFeed({ channel, ...this.#options })
      this.#feeds.set(name, feed)
      await feed.start()
    }
  }

  async stop(): Promise<void> {
    this.#off?.()
    this.#off = null
    await Promise.all([...this.#feeds].map(([name, feed]) => this.#end(name, feed)))
  }

  /** Whoever is behind that channel is there again. */
  retry(name: string): void {
    this.#feeds.get(name)?.retry()
  }

  /** Notices that were not told since the start: `nats_expired` → how many. */
  get shed(): Readonly<Record<string, number>> {
    const all = { ...this.#before }
    for (const [name, feed] of this.#feeds) add(all, name, feed)
    return all
  }

  async #end(name: string, feed: NoticeFeed): Promise<void> {
    this.#feeds.delete(name)
    await feed.stop()
    add(this.#before, name, feed)
  }
}

function add(all: Record<string, number>, name: string, { untold }: NoticeFeed): void {
  for (const [reason, count] of Object.entries(untold))
    all[`${name}_${reason}`] = (all[`${name}_${reason}`] ?? 0) + count
}
