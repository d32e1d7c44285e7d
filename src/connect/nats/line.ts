import type { Msg, NatsConnection, PermissionViolationError, Subscription } from '@nats-io/transport-node'
import { type Clock, GatehouseError, type Log, messageOf } from '../../core/index.ts'
import { Backoff } from '../backoff.ts'
import { neverTold } from '../notices/channel.ts'
import { type DialOptions, dial, placeOf, reasonOf } from './dial.ts'

/** What a stop waits for messages that are on their way. */
const DRAIN_MS = 5_000
/** What the server forbade is asked for again: its permissions may have been changed. */
const FORBIDDEN_AGAIN_MS = 60_000

/** A subject to subscribe to. */
export interface Wanted {
  subject: string
  /** Boxes of the same group share its messages; null: each gets all of them. */
  queue: string | null
  take(subject: string, bytes: Uint8Array): void
}

/** Who takes from a line in a way of its own. */
export interface Guest {
  start(): void
  /** Takes no more; what it has taken it may still answer. */
  stop(): Promise<void>
}

export interface LineOptions extends DialOptions {
  clock: Clock
  log: Log
  /** It is up; what waits for it may go on. */
  onUp?(): void
  /** Takes from the line in a way of its own, as long as it is up. */
  guest?(connection: NatsConnection): Guest
  /** What has come is through: waited for at a stop, before the line goes. */
  settled?(): Promise<void>
  /** What is subscribed to now; asked at each connect and at each `renew`. */
  wanted(): readonly Wanted[]
}

/**
 * The line to the NATS server. It is kept up: after every loss a new one is made and all is subscribed to anew, so
 * that nothing of a former one is trusted.
 */
export class Line {
  readonly #options: LineOptions
  #running = false
  #connection: NatsConnection | null = null
  #problem: string | null
  readonly #subscriptions = new Map<string, Subscription>()
  /** Subjects that the server does not allow us. */
  readonly #forbidden = new Set<string>()
  /** Subjects that it does not let us publish on. */
  readonly #mute = new Set<string>()
  readonly #backoff: Backoff
  #guest: Guest | null = null

  constructor(options: LineOptions) {
    this.#options = options
    this.#backoff = new Backoff(options.clock)
    const [server] = options.setting.servers
    this.#problem = server ? `NATS at ${placeOf(server)}: it was not reached yet.` : null
  }

  /** Why nothing comes, or not all; null: all is well. */
  get problem(): string | null {
    if (this.#problem !== null) return this.#problem
    const [subject] = this.#forbidden
    if (subject !== undefined)
      return `NATS does not let this user subscribe to ${subject}: allow it in the server's permissions.`
    const [mute] = this.#mute
    if (mute === undefined) return null
    return `NATS does not let this user publish on ${mute}: allow it in the server's permissions.`
  }

  start(): void {
    this.#running = true
    this.#keep().catch(error => this.#options.log.error({ error: messageOf(error) }, 'the NATS line ended'))
  }

  /** What is under way in the client is handed over before the line goes. */
  async stop(): Promise<void> {
    this.#running = false
    this.#backoff.cancel()
    const late = Promise.withResolvers<void>()
    const cancel = this.#options.clock.after(DRAIN_MS, () => late.resolve())
    await Promise.race([this.#drain().catch(() => undefined), late.promise])
    cancel()
    await this.#connection?.close().catch(() => undefined)
  }

  /** No more is asked for; what has come is taken and acknowledged; then the line goes. */
  async #drain(): Promise<void> {
    const connection = this.#connection
    await this.#guest?.stop()
    const drained = [...this.#subscriptions.values()].map(each => each.drain())
    await Promise.allSettled(drained)
    await this.#options.settled?.()
    await connection?.drain()
  }

  /** Subscribes to what is wanted now and to nothing else. */
  renew(): void {
    const connection = this.#connection
    if (!this.#running || !connection || connection.isClosed() || connection.isDraining()) return
    const wanted = new Map(this.#options.wanted().map(each => [`${each.subject} ${each.queue ?? ''}`, each]))
    // New ones first: where one subject takes the place of another, nothing is missed between them.
    for (const [key, each] of wanted)
      if (!this.#subscriptions.has(key)) this.#subscribe(connection, key, each)
    for (const [key, subscription] of this.#subscriptions) {
      if (wanted.has(key)) continue
      this.#subscriptions.delete(key)
      subscription.drain().catch(() => undefined)
    }
    for (const subject of this.#forbidden)
      if (![...wanted.values()].some(each => each.subject === subject)) this.#forbidden.delete(subject)
  }

  /** Sends a message; resolves once the server has it. Rejects where nobody knows that, or it is refused. */
  async publish(subject: string, body: string): Promise<void> {
    const connection = this.#connection
    if (!connection || connection.isClosed()) throw gone(this.problem ?? 'NATS is not connected.')
    if (Buffer.byteLength(body) > (connection.info?.max_payload ?? Number.POSITIVE_INFINITY))
      throw neverTold('It is larger than the NATS server takes: raise max_payload there.')
    this.#mute.delete(subject)
    connection.publish(subject, body)
    const lost = await flushed(connection)
    // What it said about the message stands before its answer, and is heard with it.
    await new Promise<void>(resolve => setImmediate(resolve))
    if (lost) throw gone('NATS was lost while an alert was on its way.')
    if (this.#mute.has(subject)) throw gone(`NATS does not let this user publish on ${subject}.`)
  }

  async #keep(): Promise<void> {
    const { clock } = this.#options
    while (this.#running) {
      let upAt: number | null = null
      try {
        const connection = await dial(this.#options)
        if (!this.#running) return void connection.close().catch(() => undefined)
        upAt = clock.now()
        await this.#use(connection)
      } catch (error) {
        this.#lost(messageOf(error))
      }
      if (this.#running) await this.#backoff.wait(upAt === null ? 0 : clock.now() - upAt)
    }
  }

  /** Resolves once the line is lost again. */
  async #use(connection: NatsConnection): Promise<void> {
    const { log } = this.#options
    this.#connection = connection
    const cancel: (() => void)[] = []
    try {
      this.#guest = this.#options.guest?.(connection) ?? null
      this.renew()
      this.#listen(connection).catch(() => undefined)
      if (!(await flushed(connection))) {
        this.#problem = null
        this.#options.onUp?.()
        this.#guest?.start()
        log.info({ server: connection.getServer(), subjects: this.#subscriptions.size }, 'NATS is connected')
        this.#again(cancel)
      }
      const error = await connection.closed()
      if (this.#running) this.#lost(`NATS at ${connection.getServer()}: ${reasonOf(error)}.`)
    } finally {
      for (const each of cancel) each()
      await this.#guest?.stop()
      this.#guest = null
      this.#connection = null
      this.#subscriptions.clear()
      this.#forbidden.clear()
      this.#mute.clear()
      await connection.close().catch(() => undefined)
    }
  }

  /** What a server refuses of what we publish it says apart from it. */
  async #listen(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      const error = status.type === 'error' ? (status.error as Partial<PermissionViolationError>) : null
      if (error?.operation === 'publish' && error.subject !== undefined) this.#mute.add(error.subject)
    }
  }

  #lost(why: string): void {
    if (this.#problem !== why) this.#options.log.warn({ problem: why }, 'NATS is away; it is tried again')
    this.#problem = why
  }

  #subscribe(connection: NatsConnection, key: string, { subject, queue, take }: Wanted): void {
    const callback = (error: Error | null, message: Msg) => {
      if (error) this.#refused(key, subject)
      else take(message.subject, message.data)
    }
    this.#subscriptions.set(
      key,
      connection.subscribe(subject, { ...(queue !== null && { queue }), callback }),
    )
  }

  #refused(key: string, subject: string): void {
    this.#subscriptions.delete(key)
    this.#forbidden.add(subject)
    this.#options.log.warn({ subject }, 'NATS forbids a subscription')
  }

  /** As long as something is forbidden it is asked for again; `cancel` holds what takes that back. */
  #again(cancel: (() => void)[]): void {
    cancel[0] = this.#options.clock.after(FORBIDDEN_AGAIN_MS, () => {
      const had = this.#forbidden.size
      this.#forbidden.clear()
      if (had) this.renew()
      this.#again(cancel)
    })
  }
}

/** Whether the line was lost before the server had answered to all that was said; lost, it never answers. */
function flushed(connection: NatsConnection): Promise<boolean> {
  return Promise.race([
    connection.flush().then(
      () => false,
      () => true,
    ),
    connection.closed().then(() => true),
  ])
}

function gone(message: string): GatehouseError {
  return new GatehouseError('nats_unreachable', message, { status: 502 })
}
