import type { Bus, Clock, Log } from '../../core/index.ts'
import type { ApprovalView, EngineTopics } from '../../engine/index.ts'
import type { Site } from '../../site/index.ts'
import type { Store } from '../../store/index.ts'
import type { NoticeChannel } from './channel.ts'
import { NoticeFeed } from './feed.ts'
import { noticesOutbox, questionsOutbox } from './outbox.ts'

export interface NoticeFeedsOptions {
  store: Store
  bus: Bus<EngineTopics>
  clock: Clock
  log: Log
  /** The channels that the site uses, as it is now; one object as long as its name stays the same. */
  channels: () => readonly NoticeChannel[]
  /** Those that questions to people are told by. */
  askers?: () => readonly NoticeChannel<ApprovalView>[]
  site: () => Site
}

type Feed = Pick<NoticeFeed, 'start' | 'stop' | 'wake' | 'retry' | 'untold'>

/** What people are told goes out by every channel that the site uses; each has its own pace. */
export class NoticeFeeds {
  readonly name = 'Notices'
  /** Each channel says itself what is wrong with it. */
  readonly problem = null
  readonly #options: NoticeFeedsOptions
  readonly #feeds = new Map<string, { of: 'notice' | 'approval'; label: string; feed: Feed }>()
  #off: (() => void)[] = []
  /** Of channels that are gone. */
  #before: Record<string, number> = {}

  constructor(options: NoticeFeedsOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    this.#off = (['notice', 'approval'] as const).map(topic =>
      this.#options.bus.on(topic, () => {
        for (const { of, feed } of this.#feeds.values()) if (of === topic) feed.wake()
      }),
    )
    await this.reload()
  }

  /** A channel that is gone is forgotten: should it come again, it is not told what was meanwhile. */
  async reload(): Promise<void> {
    if (!this.#off.length) return
    const { channels, askers = () => [], store } = this.#options
    const wanted = new Map(
      [
        ...channels().map(channel => ({ of: 'notice' as const, channel })),
        ...askers().map(channel => ({ of: 'approval' as const, channel })),
      ].map(each => [each.channel.name, each]),
    )
    await Promise.all([...this.#feeds.keys()].filter(name => !wanted.has(name)).map(name => this.#end(name)))
    const gone = store.feeds.names().filter(name => !wanted.has(name))
    if (gone.length) await store.write(() => gone.forEach(name => void store.feeds.remove(name)))
    for (const [name, { of, channel }] of wanted) {
      if (this.#feeds.has(name)) continue
      const feed = this.#make({ of, channel } as Told)
      this.#feeds.set(name, { of, label: channel.label ?? name, feed })
      await feed.start()
    }
  }

  async stop(): Promise<void> {
    for (const off of this.#off) off()
    this.#off = []
    await Promise.all([...this.#feeds.keys()].map(name => this.#end(name)))
  }

  /** Whoever is behind that channel is there again. */
  retry(name: string): void {
    this.#feeds.get(name)?.feed.retry()
  }

  /** Notices that were not told since the start: `nats_expired` → how many. */
  get shed(): Readonly<Record<string, number>> {
    const all = { ...this.#before }
    for (const { label, feed } of this.#feeds.values()) add(all, label, feed)
    return all
  }

  #make(told: Told): Feed {
    const { store, site, clock } = this.#options
    if (told.of === 'notice')
      return new NoticeFeed({ ...this.#options, channel: told.channel, outbox: noticesOutbox(store) })
    const outbox = questionsOutbox(store, site, () => clock.now())
    return new NoticeFeed({ ...this.#options, channel: told.channel, outbox })
  }

  async #end(name: string): Promise<void> {
    const known = this.#feeds.get(name)
    if (!known) return
    this.#feeds.delete(name)
    await known.feed.stop()
    add(this.#before, known.label, known.feed)
  }
}

type Told =
  | { of: 'notice'; channel: NoticeChannel }
  | { of: 'approval'; channel: NoticeChannel<ApprovalView> }

function add(all: Record<string, number>, name: string, { untold }: Feed): void {
  for (const [reason, count] of Object.entries(untold))
    all[`${name}_${reason}`] = (all[`${name}_${reason}`] ?? 0) + count
}
