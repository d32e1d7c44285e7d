import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { AnswerLinks } from '../../../src/connect/channels/answer-links.ts'
import { Channels } from '../../../src/connect/channels/channels.ts'
import { HttpOutgoing } from '../../../src/connect/http/outgoing.ts'
import { NoticeFeeds } from '../../../src/connect/notices/feeds.ts'
import { FileSecrets } from '../../../src/connect/secrets.ts'
import { noLog } from '../../../src/core/index.ts'
import type { Broker, Home } from '../../../src/kinds/index.ts'
import { Site } from '../../../src/site/index.ts'
import type { NoticeRow } from '../../../src/store/index.ts'
import { Box, type BoxOptions } from '../../engine/box.ts'
import { jpeg } from '../helpers.ts'

type Published = Parameters<Broker['publish']>[0]
type Called = Parameters<Home['call']>[0]

/** A box with the channels of a site: its engine, its store, and a clock that is turned by hand. */
export class World {
  readonly box: Box
  channels!: Channels
  feeds!: NoticeFeeds
  readonly published: Published[] = []
  readonly called: Called[] = []
  /** A stored picture; null: it cannot be made small. */
  picture: { bytes: Uint8Array; type: string } | null = { bytes: jpeg(7), type: 'image/jpeg' }
  ownPorts: number[] = []

  private constructor(box: Box) {
    this.box = box
  }

  static async start(site: string, options: BoxOptions = {}): Promise<World> {
    const box = await new Box({ ...options, site }).start()
    const world = new World(box)
    onTestFinished(async () => {
      await world.feeds.stop()
      await box.stop()
    })
    await world.open()
    return world
  }

  async open(): Promise<void> {
    const { box } = this
    const { store, bus, clock } = box
    const site = () => box.site
    const secrets = new FileSecrets(box.dir, undefined)
    const ownPorts = () => this.ownPorts
    this.channels = new Channels({
      ...{ site, secrets, clock, ownPorts, boxId: () => store.meta.boxId },
      outgoing: new HttpOutgoing({ site, secrets, ownPorts, clock }),
      broker: {
        lacks: null,
        publish: async message => {
          this.published.push(message)
        },
      },
      home: {
        lacks: null,
        call: async called => {
          this.called.push(called)
          return { changed: [] }
        },
        state: async () => null,
      },
      picture: async () => this.picture,
      links: new AnswerLinks({ site, store }),
      onUp: lane => this.feeds.retry(lane),
    })
    this.feeds = new NoticeFeeds({
      ...{ store, bus, clock, log: noLog, site },
      channels: () => this.channels.channels,
      askers: () => this.channels.askers,
    })
    await this.feeds.start()
  }

  /** The process is stopped and started again. */
  async restart(afterMs = 0): Promise<void> {
    await this.feeds.stop()
    await this.box.restart(afterMs)
    await this.open()
  }

  /** Another site file comes into force. */
  async site(text: string): Promise<void> {
    this.box.site = Site.load(text, join(this.box.dir, 'site.yaml'))
    await this.feeds.reload()
  }

  secret(name: string, value: string): void {
    mkdirSync(join(this.box.dir, 'secrets'), { recursive: true })
    writeFileSync(join(this.box.dir, 'secrets', name), `${value}\n`)
  }

  /** Something is told; answers with its row's id. */
  async tell(...rows: Partial<NoticeRow>[]): Promise<number> {
    const { store, bus, clock, engine } = this.box
    const ids = await store.write(() =>
      rows.map(row =>
        store.notices.add({
          ...{ runId: null, stepId: null, kind: 'alert', severity: 'high', title: 'Alert', body: '' },
          ...{ audience: null, cameraId: null, mediaId: null, createdAt: clock.now() },
          ...row,
        }),
      ),
    )
    const [notice] = engine.notices({ limit: 1 })
    if (notice) bus.publish('notice', notice)
    return ids.at(-1) ?? 0
  }

  /** Time passes in small steps, until it holds. */
  async after(ms: number, holds: () => boolean = () => false): Promise<void> {
    for (let gone = 0; gone < ms && !holds(); gone += 1_000) {
      this.box.clock.advance(1_000)
      await Bun.sleep(2)
    }
  }
}
