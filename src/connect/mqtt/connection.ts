import { readFile } from 'node:fs/promises'
import { type Clock, GatehouseError, type Log, messageOf } from '../../core/index.ts'
import type { Broker } from '../../kinds/index.ts'
import type { MqttSetting, Site } from '../../site/index.ts'
import { Backoff } from '../backoff.ts'
import { type Secrets, secretFor } from '../secrets.ts'
import { addressesOf } from './dial.ts'
import { publishListed } from './publish.ts'
import { type Message, OldBroker, Session } from './session.ts'

/** Messages that the broker has not acknowledged; more are not handed to it. */
const MOST_PENDING = 1_000
/** So long a goodbye to others may take: a broker that hangs holds up neither a stop nor a changed site file. */
const LEAVE_MS = 3_000

/** What a guest may do while there is a connection. */
export interface Line {
  setting: MqttSetting
  /** Above all topics of this box. */
  base: string
  /** Resolves once the broker has it; with false where it was not sent for want of room, or was not taken. */
  publish(message: Message): Promise<boolean>
  subscribe(topics: readonly string[]): Promise<void>
  unsubscribe(topic: string): Promise<void>
}

/** Who lives on the connection. None of its calls may throw or reject. */
export interface Guest {
  /** Why it cannot do its work though there is a connection, in one line, or null. */
  readonly problem: string | null
  /** What it left out since the start, by reason. */
  readonly ignored: Readonly<Record<string, number>>
  /** There is a connection; what was said before is to be said again. */
  up(line: Line): void
  message(topic: string, payload: Uint8Array, retained: boolean): void
  /** It is about to be ended on purpose. `removed`: this box is not to be found there any more. */
  leave(line: Line, removed: boolean): Promise<void>
  /** It is gone. */
  down(): void
}

export interface MqttOptions {
  site: () => Site
  secrets: Secrets
  clock: Clock
  log: Log
  /** Known once the store is open. */
  boxId: () => string
  guest?: Guest
  /** How long a broker may take to answer at first; default 10 s. */
  connectMs?: number
}

/** The site's MQTT broker: one connection, made again for as long as the site names one. */
export class MqttConnection implements Broker {
  readonly name = 'MQTT'
  readonly #options: MqttOptions
  readonly #backoff: Backoff
  #problem: string | null = null
  #session: Session | null = null
  #line: Line | null = null
  /** What the running connection was made for. */
  #key = ''
  #version: 4 | 5 = 5
  #running = false
  #loop: Promise<void> = Promise.resolve()

  constructor(options: MqttOptions) {
    this.#options = options
    this.#backoff = new Backoff(options.clock)
  }

  get problem(): string | null {
    if (this.#options.site().mqtt === null) return null
    return this.#problem ?? (this.#session && (this.#options.guest?.problem ?? null))
  }

  /** Commands of others that were left out. */
  get shed(): Readonly<Record<string, number>> {
    return this.#options.guest?.ignored ?? {}
  }

  /** Whether there is a broker at all; that it is away is an error of whoever asks it then. */
  get lacks(): string | null {
    return this.#options.site().mqtt === null
      ? 'there is no MQTT broker: name one under mqtt in the site file'
      : null
  }

  async start(): Promise<void> {
    this.#begin()
  }

  async reload(): Promise<void> {
    if (keyOf(this.#options.site().mqtt) === this.#key) return
    await this.#end(true)
    this.#begin()
  }

  async stop(): Promise<void> {
    await this.#end(false)
  }

  async publish(message: Parameters<Broker['publish']>[0]): Promise<void> {
    await publishListed(message, {
      topic: this.#options.site().topic(message.to),
      isAddress: this.#options.site().destination(message.to) !== null,
      own: this.#line?.base ?? null,
      session: this.#session,
    })
  }

  #begin(): void {
    const setting = this.#options.site().mqtt
    this.#key = keyOf(setting)
    this.#problem = null
    this.#version = 5
    if (!setting) return
    this.#running = true
    this.#backoff.reset()
    this.#loop = this.#keep(setting)
  }

  async #end(changed: boolean): Promise<void> {
    this.#running = false
    this.#backoff.cancel()
    const line = this.#line
    let silent = false
    if (line) {
      const { mqtt } = this.#options.site()
      const elsewhere = changed && (mqtt === null || this.#baseOf(mqtt) !== line.base)
      const gone = elsewhere || (changed && !sameBroker(mqtt, line.setting))
      silent = !(await this.#within(LEAVE_MS, this.#options.guest?.leave(line, gone)))
    }
    // Where it is broken off, the broker says in our place that we are gone.
    await this.#session?.end(silent)
    await this.#loop
  }

  /** Whether it was done in time. */
  async #within(ms: number, work: Promise<void> | undefined): Promise<boolean> {
    const late = Promise.withResolvers<boolean>()
    const cancel = this.#options.clock.after(ms, () => late.resolve(false))
    return Promise.race([Promise.resolve(work).then(() => true), late.promise]).finally(cancel)
  }

  /** One connection after the other. */
  async #keep(setting: MqttSetting): Promise<void> {
    const { log, clock } = this.#options
    while (this.#running) {
      const began = clock.now()
      const why = await this.#once(setting).catch((error: unknown) => {
        if (error instanceof OldBroker && this.#version === 5) {
          this.#version = 4
          return null
        }
        return error instanceof OldBroker ? 'it speaks no MQTT 5 and no MQTT 3.1.1' : messageOf(error)
      })
      if (!this.#running) break
      if (why === null) continue
      const problem = `The MQTT broker at ${setting.url.host} cannot be used: ${why}.`
      if (problem !== this.#problem) log.warn({ broker: setting.url.host }, problem)
      this.#problem = problem
      await this.#backoff.wait(clock.now() - began)
    }
  }

  /** Resolves with why it is over. */
  async #once(setting: MqttSetting): Promise<string> {
    const { secrets, boxId, guest, clock, log } = this.#options
    const password = setting.password && secretFor('mqtt', setting.password.secret, secrets)
    const ca = setting.ca && (await readCa(setting.ca))
    const base = this.#baseOf(setting)
    const [address = ''] = await addressesOf(setting.url)
    const session = await Session.open({
      ...{ url: setting.url, address, ca, password, clock, version: this.#version },
      user: setting.user,
      clientId: setting.clientId ?? `gatehouse-${boxId()}`,
      will: { topic: `${base}/status`, payload: 'offline' },
      onMessage: (topic, payload, retained) => guest?.message(topic, payload, retained),
      connectMs: this.#options.connectMs ?? 10_000,
    })
    if (!this.#running) {
      await session.end()
      return 'it is not asked any more'
    }
    this.#session = session
    this.#line = lineOf(session, setting, base)
    if (this.#problem !== null) log.info({ broker: setting.url.host }, 'the MQTT broker is back')
    this.#problem = null
    guest?.up(this.#line)
    try {
      return await session.closed
    } finally {
      this.#session = null
      this.#line = null
      guest?.down()
    }
  }

  #baseOf({ base }: MqttSetting): string {
    return base ?? `gatehouse/${this.#options.boxId()}`
  }
}

function lineOf(session: Session, setting: MqttSetting, base: string): Line {
  return {
    setting,
    base,
    publish: async message => {
      if (session.pending >= MOST_PENDING) return false
      return session.publish(message).then(
        () => true,
        () => false,
      )
    },
    subscribe: topics => session.subscribe(topics),
    unsubscribe: topic => session.unsubscribe(topic),
  }
}

function keyOf(setting: MqttSetting | null): string {
  return setting === null ? '' : JSON.stringify({ ...setting, may: [...setting.may].sort() })
}

function sameBroker(a: MqttSetting | null, b: MqttSetting): boolean {
  return a?.url.href === b.url.href && a.discoveryPrefix === b.discoveryPrefix
}

async function readCa(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    throw new GatehouseError('bad_request', `mqtt.ca: the file ${file} cannot be read`)
  }
}
