import type { NatsConnection } from '@nats-io/transport-node'
import { type Bus, type Clock, GatehouseError, type IncomingEvent, type Log } from '../../core/index.ts'
import type { Admission, EngineTopics, ListensFor } from '../../engine/index.ts'
import type { NatsSetting, Site } from '../../site/index.ts'
import type { Lookup } from '../http/address.ts'
import type { NoticeChannel } from '../notices/channel.ts'
import type { Secrets } from '../secrets.ts'
import { NatsAlerts } from './alerts.ts'
import { Durable } from './durable.ts'
import { Inbox } from './inbox.ts'
import { Line, type Wanted } from './line.ts'
import { covers, subjectsOf } from './subjects.ts'

/** Somebody else who hears subjects: asked anew whenever workflows or the site change. */
export interface Listener {
  /** Bounded by who takes them: messages are handed over as they come. Must not throw. */
  wanted(listens: readonly ListensFor[]): readonly Wanted[]
}

export interface NatsOptions {
  site: () => Site
  secrets: Secrets
  clock: Clock
  log: Log
  bus: Bus<EngineTopics>
  engine: {
    submit(event: IncomingEvent): Promise<Admission[]>
    listensFor(): ListensFor[]
  }
  /** Who hears what is no event, such as tracks. */
  listeners?: readonly Listener[]
  /** The line is up: what waits to go out may go. */
  onUp?(): void
  lookup?: Lookup
  /** How often the server is asked whether it is there still; default 10 s. */
  pingMs?: number
}

/** The NATS server of the site: the events and alerts that workflows wait for come in here. */
export class Nats {
  readonly name = 'NATS'
  readonly #options: NatsOptions
  readonly #inbox: Inbox
  readonly #alerts = new NatsAlerts((subject, body) => this.#publish(subject, body))
  #line: Line | null = null
  /** Of the line that is up, where the site names a stream. */
  #durable: Durable | null = null
  /** What workflows need, as it was when that was last looked at. */
  #subjects: readonly string[] = []
  #setting = ''
  #started = false
  #off: (() => void) | null = null
  #renewing = false

  constructor(options: NatsOptions) {
    this.#options = options
    const { clock, log, engine } = options
    this.#inbox = new Inbox({ clock, log, submit: event => engine.submit(event) })
  }

  async start(): Promise<void> {
    this.#started = true
    this.#off = this.#options.bus.on('workflow', () => this.#renewSoon())
    await this.reload()
  }

  /** Another server, other credentials or another group: the old line is drained, then the new one begins. */
  async reload(): Promise<void> {
    if (!this.#started) return
    const setting = this.#options.site().nats
    const key = JSON.stringify(setting)
    if (key === this.#setting) return this.#line?.renew()
    this.#setting = key
    const old = this.#line
    this.#line = setting ? this.#make(setting) : null
    await old?.stop()
    this.#line?.start()
  }

  /** What has come is still offered to the engine. */
  async stop(): Promise<void> {
    this.#started = false
    this.#off?.()
    await this.#line?.stop()
    this.#line = null
    this.#setting = ''
  }

  get problem(): string | null {
    return this.#line?.problem ?? this.#durable?.problem ?? null
  }

  /** The alerts of this box's workflows go out here; null: the site has no NATS server. */
  get alerts(): NoticeChannel | null {
    return this.#options.site().nats ? this.#alerts : null
  }

  /** Messages that came and were left out since the start, by reason. */
  get shed(): Readonly<Record<string, number>> {
    const { received: _, ...shed } = this.#inbox.counts
    return shed
  }

  /** Messages of subjects that workflows listen to. */
  get received(): number {
    return this.#inbox.counts.received
  }

  #make(setting: NatsSetting): Line {
    const { secrets, clock, log, lookup, pingMs, onUp } = this.#options
    const { jetstream } = setting
    this.#durable = null
    return new Line({
      ...{ setting, secrets, clock, log },
      ...(lookup && { lookup }),
      ...(pingMs !== undefined && { pingMs }),
      ...(onUp && { onUp }),
      ...(jetstream && { guest: connection => this.#consumer(connection, jetstream) }),
      settled: () => this.#inbox.settled(),
      wanted: () => this.#wanted(setting.queue),
    })
  }

  #consumer(connection: NatsConnection, setting: NonNullable<NatsSetting['jetstream']>): Durable {
    const { clock, log } = this.#options
    this.#durable = new Durable({
      ...{ connection, setting, clock, log },
      wants: subject => this.#subjects.some(each => covers(each, subject)),
      take: (subject, bytes, stored) => this.#inbox.take(subject, bytes, stored),
      onCovers: () => this.#line?.renew(),
    })
    return this.#durable
  }

  #publish(subject: string, body: string): Promise<void> {
    if (!this.#line) throw new GatehouseError('nats_unreachable', 'NATS is not connected.', { status: 502 })
    return this.#line.publish(subject, body)
  }

  #wanted(queue: string): Wanted[] {
    const { engine, listeners = [] } = this.#options
    const listens = engine.listensFor()
    this.#subjects = subjectsOf(listens)
    const take = (subject: string, bytes: Uint8Array) => this.#inbox.take(subject, bytes)
    return [
      ...this.#subjects
        .filter(subject => !this.#durable?.brings(subject))
        .map(subject => ({ subject, queue, take })),
      ...listeners.flatMap(each => each.wanted(listens)),
    ]
  }

  /** Many workflows may change in one turn, as when the site was read anew. */
  #renewSoon(): void {
    if (this.#renewing) return
    this.#renewing = true
    queueMicrotask(() => {
      this.#renewing = false
      this.#line?.renew()
    })
  }
}
