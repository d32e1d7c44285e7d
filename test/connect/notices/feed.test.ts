import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type NoticeChannel, neverTold } from '../../../src/connect/notices/channel.ts'
import { NoticeFeeds } from '../../../src/connect/notices/feeds.ts'
import { noLog } from '../../../src/core/index.ts'
import { Box } from '../../engine/box.ts'
import { eventually } from '../helpers.ts'

const DAY_MS = 24 * 3_600_000

/** A channel that remembers what it was told. */
class Channel implements NoticeChannel {
  readonly name: string
  readonly told: { title: string; id: string }[] = []
  perSecond?: number
  /** Before it takes a notice; a rejection is what the feed hears. */
  takes: (title: string) => void | Promise<void> = () => undefined

  constructor(name = 'memory') {
    this.name = name
  }

  get titles(): string[] {
    return this.told.map(({ title }) => title)
  }

  wants({ severity }: Parameters<NoticeChannel['wants']>[0]): boolean {
    return severity !== 'low'
  }

  async deliver({ title }: Parameters<NoticeChannel['deliver']>[0], { id }: { id: string }): Promise<void> {
    await this.takes(title)
    this.told.push({ title, id })
  }
}

let box: Box
let feeds: NoticeFeeds
let channels: NoticeChannel[] = []

async function open(): Promise<void> {
  const { store, bus, clock } = box
  feeds = new NoticeFeeds({ store, bus, clock, log: noLog, site: () => box.site, channels: () => channels })
  await feeds.start()
}

beforeEach(async () => {
  box = await new Box().start()
})
afterEach(async () => {
  await feeds.stop()
  await box.stop()
})

/** Notices as the engine writes them. */
async function raise(titles: string[], severity = 'high', createdAt = box.clock.now()): Promise<void> {
  const { store, bus } = box
  await store.write(() => {
    for (const title of titles) {
      store.notices.add({
        ...{ runId: null, stepId: null, kind: 'alert', severity, title, body: '', audience: null },
        ...{ cameraId: null, mediaId: null, createdAt },
      })
    }
  })
  bus.publish('notice', box.engine.notices({ limit: 1 })[0] as never)
}

const numbered = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `n${from + n}`)

describe('a feed of notices', () => {
  test('begins with the next, and tells each once, in order, under ids of its own', async () => {
    await raise(['old'])
    const channel = new Channel()
    channels = [channel]
    await open()
    await raise(['a', 'b'])
    await raise(['quiet'], 'low')
    await raise(numbered(0, 200))
    await eventually(() => channel.told.length === 202)
    expect(channel.titles).toEqual(['a', 'b', ...numbered(0, 200)])
    expect(new Set(channel.told.map(({ id }) => id)).size).toBe(202)
    for (const { id } of channel.told) expect(id).toMatch(/^alrt_[0-9a-f]{12}$/)
  })

  test('goes on over restarts: nothing is lost, what was told is not told again', async () => {
    const channel = new Channel()
    channels = [channel]
    await open()
    await raise(['a'])
    await eventually(() => channel.titles.length === 1)
    await feeds.stop()
    await raise(['b', 'c'])
    await box.restart()
    await open()
    await eventually(() => channel.titles.length === 3)
    expect(channel.titles).toEqual(['a', 'b', 'c'])
  })

  test('a receiver that is away gets all of it later, in order; what follows waits', async () => {
    const channel = new Channel()
    channels = [channel]
    let tries = 0
    channel.takes = title => {
      if (title !== 'b') return
      tries++
      throw new Error('away')
    }
    await open()
    await raise(['a', 'b', 'c'])
    await eventually(() => tries === 1)
    for (const ms of [2_000, 4_000, 8_000]) {
      const before = tries
      box.clock.advance(ms - 1)
      await box.quiet()
      expect(tries).toBe(before)
      box.clock.advance(1)
      await eventually(() => tries === before + 1)
    }
    expect(channel.titles).toEqual(['a'])
    channel.takes = () => undefined
    feeds.retry('memory')
    await eventually(() => channel.titles.length === 3)
    expect(channel.titles).toEqual(['a', 'b', 'c'])
  })

  test('a crash after it was delivered repeats it under the same id', async () => {
    const channel = new Channel()
    channels = [channel]
    await open()
    const { set } = box.store.feeds
    box.store.feeds.set = () => {
      throw new Error('the plug was pulled')
    }
    await raise(['a', 'b'])
    await eventually(() => channel.titles.length >= 2)
    const first = channel.told.slice(0, 2)
    await feeds.stop()
    box.store.feeds.set = set
    await box.crash()
    channel.told.length = 0
    await open()
    await eventually(() => channel.told.length === 2)
    expect(channel.told).toEqual(first)
  })

  test('one that hangs is tried again after half a minute; a stop does not wait for it', async () => {
    const channel = new Channel()
    channels = [channel]
    let tries = 0
    channel.takes = () => {
      tries++
      return new Promise(() => {})
    }
    await open()
    await raise(['a'])
    await eventually(() => tries === 1)
    box.clock.advance(30_000)
    await box.quiet()
    box.clock.advance(2_000)
    await eventually(() => tries === 2)
    await feeds.stop()
    expect(channel.told).toEqual([])
  })

  test('what can never get through is passed over and counted', async () => {
    const channel = new Channel()
    channels = [channel]
    channel.takes = title => {
      if (title === 'b') throw neverTold('too large')
    }
    await open()
    await raise(['a', 'b', 'c'])
    await eventually(() => channel.titles.length === 2)
    expect(channel.titles).toEqual(['a', 'c'])
    expect(feeds.shed).toEqual({ memory_expired: 0, memory_refused: 1, memory_summed: 0 })
  })

  test('what is older than a week, and more than ten thousand that wait, are passed over and counted', async () => {
    const channel = new Channel()
    channels = [channel]
    await open()
    await feeds.stop()
    const now = box.clock.now()
    await raise(numbered(0, 30))
    await raise(['late', 'later'], 'high', now - 7 * DAY_MS - 1)
    await raise(numbered(30, 10_023))
    await raise(['within'], 'high', now - 7 * DAY_MS)
    await open()
    await eventually(() => channel.titles.at(-1) === 'within', 30_000)
    expect(channel.told).toHaveLength(9_998)
    expect(channel.titles[0]).toBe('n26')
    expect(feeds.shed).toEqual({ memory_expired: 28, memory_refused: 0, memory_summed: 0 })
  })

  test('a pace is held', async () => {
    const channel = new Channel()
    channel.perSecond = 5
    channels = [channel]
    await open()
    await raise(numbered(0, 12))
    for (const told of [5, 10, 12]) {
      await eventually(() => channel.told.length === told)
      await box.quiet()
      expect(channel.told).toHaveLength(told)
      box.clock.advance(1_000)
    }
  })

  test('channels do not wait for each other; one that the site takes away is not told what was meanwhile', async () => {
    const [slow, quick] = [new Channel('slow'), new Channel('quick')]
    slow.takes = () => new Promise(() => {})
    channels = [slow, quick]
    await open()
    await raise(['a'])
    await eventually(() => quick.titles.length === 1)
    channels = [slow]
    await feeds.reload()
    await raise(['b'])
    channels = [slow, quick]
    await feeds.reload()
    await raise(['c'])
    await eventually(() => quick.titles.length === 2)
    expect(quick.titles).toEqual(['a', 'c'])
    expect(slow.titles).toEqual([])
    expect(box.store.feeds.names()).toEqual(['quick', 'slow'])
  })
})
