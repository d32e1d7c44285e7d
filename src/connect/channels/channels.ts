import { type Clock, GatehouseError, messageOf, mintId } from '../../core/index.ts'
import type { ApprovalView, NoticeView } from '../../engine/index.ts'
import type { Broker, Home, Outgoing } from '../../kinds/index.ts'
import { type Channel, ownAddress, type Site } from '../../site/index.ts'
import type { Lookup } from '../http/address.ts'
import type { Handing, NoticeChannel } from '../notices/channel.ts'
import type { Secrets } from '../secrets.ts'
import type { AnswerLinks } from './answer-links.ts'
import type { ChannelDriver } from './driver.ts'
import { HomeNotify } from './home.ts'
import { isSilent, type LanePlan, lanesOf, severityOf, type Told, toldNotice, toldQuestion } from './lanes.ts'
import { ChannelLine } from './line.ts'
import { Topic, Webhook } from './listed.ts'
import type { Message, MessagePicture } from './message.ts'
import { Ntfy } from './ntfy.ts'
import { Smtp } from './smtp.ts'
import {
  type Around,
  noticeMessage,
  questionMessage,
  surplusMessage,
  testMessage,
  weightOf,
} from './write.ts'

/** Questions to one address in a second. */
const QUESTIONS_PER_SECOND = 2

export interface ChannelsOptions {
  site: () => Site
  secrets: Secrets
  clock: Clock
  boxId: () => string
  ownPorts: () => readonly number[]
  outgoing: Outgoing
  broker: Broker
  home: Home
  /** A stored picture, made small. */
  picture: (media: number) => Promise<MessagePicture | null>
  /** What people answer by without a login. */
  links: Pick<AnswerLinks, 'mint'>
  /** A lane may be tried again at once. */
  onUp: (lane: string) => void
  lookup?: Lookup
}

/** What became of a test, by whom it was to reach. */
export interface ChannelTest {
  at: string | null
  /** Null: it went out. */
  problem: string | null
  ms: number
}

/** The channels by which the site's people are told: each address of each has a feed of its own. */
export class Channels {
  readonly name = 'Channels'
  readonly #options: ChannelsOptions
  readonly #lines = new Map<string, { key: string; line: ChannelLine }>()
  readonly #told = new Map<string, NoticeChannel>()
  readonly #asked = new Map<string, NoticeChannel<ApprovalView>>()

  constructor(options: ChannelsOptions) {
    this.#options = options
  }

  async start(): Promise<void> {}

  async reload(): Promise<void> {}

  async stop(): Promise<void> {}

  /** Channels by which nothing gets through → why. */
  problems(): Record<string, string> {
    const { channels } = this.#options.site().reach
    return Object.fromEntries(
      [...this.#lines].flatMap(([name, { line }]) =>
        line.problem !== null && channels.has(name) ? [[name, line.problem]] : [],
      ),
    )
  }

  get problem(): string | null {
    return Object.values(this.problems()).join(' ') || null
  }

  /** Those that notices are told by, as the site is now. */
  get channels(): readonly NoticeChannel[] {
    return this.#all(this.#told, name => this.#teller(name))
  }

  /** Those that questions are told by. */
  get askers(): readonly NoticeChannel<ApprovalView>[] {
    return this.#all(this.#asked, name => this.#asker(name))
  }

  /** Tells everybody who is reached by a channel that it works. Rejects with `channel_unknown`. */
  async test(name: string, signal: AbortSignal): Promise<ChannelTest[]> {
    const { site, clock } = this.#options
    const channel = site().reach.channels.get(name)
    if (!channel)
      throw new GatehouseError('channel_unknown', `${name} is not among channels of the site file.`, {
        status: 404,
      })
    const lanes = [...lanesOf(site()).values()].filter(each => each.channel === name).map(({ at }) => at)
    const own = ownAddress(channel)
    const places = lanes.length || own === undefined ? lanes : [own]
    if (!places.length)
      throw new GatehouseError('channel_unknown', `Nobody is told by ${name}: name it at a person.`, {
        status: 409,
      })
    const tests: ChannelTest[] = []
    for (const at of places) {
      const began = clock.now()
      const message = testMessage(name, this.#around(`test_${mintId('evt').slice(4)}`, false), began)
      const problem = await this.#line(channel)
        .send(message, at, signal, true)
        .then(() => null, messageOf)
      tests.push({ at, problem, ms: clock.now() - began })
    }
    return tests
  }

  #all<T>(known: Map<string, T>, make: (name: string) => T): T[] {
    const lanes = lanesOf(this.#options.site())
    for (const name of known.keys()) if (!lanes.has(name)) known.delete(name)
    return [...lanes.keys()].map(name => {
      const channel = known.get(name) ?? make(name)
      known.set(name, channel)
      return channel
    })
  }

  #teller(name: string): NoticeChannel {
    const { site, clock } = this.#options
    const plan = () => lanesOf(site()).get(name)
    const toldBy = (notice: NoticeView): Told | null => {
      const lane = plan()
      return lane ? toldNotice(lane, notice, site()) : null
    }
    const silent = (notices: readonly NoticeView[]) =>
      notices.every(each => {
        const told = toldBy(each)
        return told !== null && isSilent(told, severityOf(each.severity), site(), clock.now())
      })
    const perMinute = () => this.#setting(plan())?.perMinute ?? 1
    return {
      name: `people ${name}`,
      label: labelOf(plan()),
      wants: notice => toldBy(notice) !== null,
      deliver: (notice, { id, signal }) =>
        this.#send(plan(), noticeMessage(notice, this.#around(id, silent([notice]), plan())), signal),
      crowd: {
        get perMinute() {
          return perMinute()
        },
        weigh: weightOf,
        deliver: (surplus, { id, signal }) => {
          const around = this.#around(`${id}_more`, silent(surplus.worst))
          return this.#send(plan(), surplusMessage(surplus, around, clock.now()), signal)
        },
      },
    }
  }

  #asker(name: string): NoticeChannel<ApprovalView> {
    const { site } = this.#options
    const plan = () => lanesOf(site()).get(name)
    return {
      name: `questions ${name}`,
      label: labelOf(plan()),
      perSecond: QUESTIONS_PER_SECOND,
      wants: question => {
        const lane = plan()
        return lane !== undefined && toldQuestion(lane, question, site()) !== null
      },
      deliver: async (question, { id, signal }: Handing) => {
        const lane = plan()
        const secret = lane ? await this.#options.links.mint(question, lane) : null
        return this.#send(lane, questionMessage(question, this.#around(id, false, lane), secret), signal)
      },
    }
  }

  #around(id: string, silent: boolean, lane?: LanePlan): Around {
    const { site, boxId, picture } = this.#options
    const pictures = this.#setting(lane)?.pictures ?? false
    return { id, silent, site: site(), boxId: boxId(), ...(pictures && { picture }) }
  }

  #setting(lane: LanePlan | undefined): Channel | undefined {
    return lane && this.#options.site().reach.channels.get(lane.channel)
  }

  async #send(lane: LanePlan | undefined, message: Message, signal: AbortSignal): Promise<void> {
    const channel = this.#setting(lane)
    // The site has changed meanwhile: its feed is about to end.
    if (!lane || !channel) throw new GatehouseError('channel_unknown', 'Nobody is told there any more.')
    await this.#line(channel).send(message, lane.at, signal)
  }

  #line(channel: Channel): ChannelLine {
    const key = JSON.stringify(channel)
    const known = this.#lines.get(channel.name)
    if (known?.key === key) return known.line
    const line = new ChannelLine(channel, this.#driver(channel), this.#options.clock, () =>
      this.#up(channel.name),
    )
    this.#lines.set(channel.name, { key, line })
    return line
  }

  #up(channel: string): void {
    for (const [name, lane] of lanesOf(this.#options.site()))
      if (lane.channel === channel)
        for (const of of ['people', 'questions']) this.#options.onUp(`${of} ${name}`)
  }

  #driver(channel: Channel): ChannelDriver {
    const { outgoing, broker, home } = this.#options
    if (channel.kind === 'ntfy') return new Ntfy({ ...this.#options, channel })
    if (channel.kind === 'smtp') return new Smtp({ ...this.#options, channel })
    if (channel.kind === 'home_assistant') return new HomeNotify(channel, home)
    return channel.kind === 'webhook' ? new Webhook(channel, outgoing) : new Topic(channel, broker)
  }
}

/** Counts and logs do not say whom a channel reaches. */
function labelOf(lane: LanePlan | undefined): string {
  return lane?.channel ?? 'people'
}
