import type { ConsumerInfo, ConsumerMessages, JetStreamManager, JsMsg } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { type Clock, GatehouseError, type Log, messageOf } from '../../core/index.ts'
import { Backoff } from '../backoff.ts'
import type { Stored } from './inbox.ts'
import { covers } from './subjects.ts'

/** Messages that are asked for ahead of those that are being taken. */
const AHEAD = 256
/** What was not settled by then comes again; so long at most nobody knows that a box died. */
const ACK_WAIT_MS = 30_000
const MOST_UNSETTLED = 512
/** What there was no room for comes again after this. */
const AGAIN_MS = 5_000

export interface DurableOptions {
  connection: NatsConnection
  setting: { stream: string; durable: string }
  clock: Clock
  log: Log
  /** Whether workflows need it now; of the stream's messages the others are settled unread. */
  wants(subject: string): boolean
  take(subject: string, bytes: Uint8Array, stored: Stored): void
  /** What comes by the stream changed: it need not, or need again, be heard as it is sent. */
  onCovers(): void
}

/**
 * A durable consumer of a stream that keeps events and alerts: each message is acknowledged once what follows from it
 * is on the disk, so that nothing is lost while the box restarts. As long as it does not work the box hears what is sent.
 */
export class Durable {
  readonly #options: DurableOptions
  readonly #backoff: Backoff
  #running = true
  #messages: ConsumerMessages | null = null
  #problem: string | null
  /** Subjects that come by the stream; null: not known yet. */
  #covered: readonly string[] | null = null

  constructor(options: DurableOptions) {
    this.#options = options
    this.#problem = `The stream ${options.setting.stream} was not reached yet.`
    this.#backoff = new Backoff(options.clock)
  }

  /** Why nothing is taken from the stream, or null. */
  get problem(): string | null {
    return this.#problem
  }

  start(): void {
    this.#keep().catch(error =>
      this.#options.log.error({ error: messageOf(error) }, 'the NATS consumer ended'),
    )
  }

  /** Asks for no more; what has come is still taken and acknowledged. */
  async stop(): Promise<void> {
    this.#running = false
    this.#backoff.cancel()
    await this.#messages?.close()
  }

  /** Whether all messages of a subject come by the stream; so it is taken to be until that is known. */
  brings(subject: string): boolean {
    return this.#covered === null || this.#covered.some(each => covers(each, subject))
  }

  async #keep(): Promise<void> {
    const { clock, connection, log, setting } = this.#options
    while (this.#running && !connection.isClosed()) {
      let upAt: number | null = null
      try {
        const { messages, subjects } = await this.#open()
        upAt = clock.now()
        this.#problem = null
        this.#messages = messages
        this.#cover(subjects)
        log.info(setting, 'a NATS stream is consumed')
        await messages.closed()
        if (this.#running && !connection.isClosed()) throw missing(setting)
      } catch (error) {
        const why = error instanceof GatehouseError ? error.message : refused(setting)
        if (this.#problem !== why)
          log.warn({ problem: why }, 'a NATS stream is not consumed; it is tried again')
        this.#problem = why
      }
      this.#messages = null
      this.#cover([])
      if (this.#running && !connection.isClosed())
        await this.#backoff.wait(upAt === null ? 0 : clock.now() - upAt)
    }
  }

  async #open(): Promise<{ messages: ConsumerMessages; subjects: readonly string[] }> {
    const { connection, setting } = this.#options
    const { stream, durable } = setting
    const { jetstreamManager } = await import('@nats-io/jetstream')
    const manager = await jetstreamManager(connection).catch(() => {
      throw failed('The server has no JetStream: switch it on there, or take jetstream out of the site file')
    })
    const { config } = await manager.streams.info(stream).catch(error => {
      throw isMissing(error) ? missing(setting) : error
    })
    const consumer = await this.#consumer(manager)
    if (consumer.config.deliver_subject || consumer.config.ack_policy !== 'explicit')
      throw failed(
        `The consumer ${durable} is not a pull consumer with explicit acknowledgement: delete it, and the box makes its own`,
      )
    const found = await manager.jetstream().consumers.get(stream, durable)
    const callback = (message: JsMsg) => this.#take(message)
    const messages = await found.consume({ max_messages: AHEAD, abort_on_missing_resource: true, callback })
    return { messages, subjects: filtersOf(consumer) ?? config.subjects ?? [] }
  }

  /** The one that is there, as whoever made it wanted it, or a new one, which begins with the next message. */
  async #consumer({ consumers }: JetStreamManager): Promise<ConsumerInfo> {
    const { stream, durable } = this.#options.setting
    try {
      return await consumers.info(stream, durable)
    } catch (error) {
      if (!isMissing(error)) throw error
    }
    return consumers.add(stream, {
      durable_name: durable,
      ack_policy: 'explicit',
      deliver_policy: 'new',
      ack_wait: ACK_WAIT_MS * 1_000_000,
      max_ack_pending: MOST_UNSETTLED,
    })
  }

  /** Must not throw: that would end the consumer. */
  #take(message: JsMsg): void {
    const { subject, data, info, timestampNanos } = message
    if (!this.#options.wants(subject)) this.#settle(message, false)
    else
      this.#options.take(subject, data, {
        at: Number(timestampNanos / 1_000_000n),
        id: `${info.stream}_${info.streamSequence}`,
        done: again => this.#settle(message, again),
      })
  }

  /** On a line that is lost it comes again, and is known then. */
  #settle(message: JsMsg, again: boolean): void {
    try {
      if (again) message.nak(AGAIN_MS)
      else message.ack()
    } catch (error) {
      this.#options.log.debug({ error: messageOf(error) }, 'a message was not acknowledged')
    }
  }

  #cover(subjects: readonly string[]): void {
    this.#covered = subjects
    this.#options.onCovers()
  }
}

function filtersOf({
  config: { filter_subject: one, filter_subjects: many },
}: ConsumerInfo): string[] | null {
  return many?.length ? many : one ? [one] : null
}

function isMissing(error: unknown): boolean {
  return /not found/i.test(messageOf(error))
}

function failed(why: string): GatehouseError {
  return new GatehouseError('nats_stream', `${why}.`, { status: 502 })
}

function missing({ stream, durable }: DurableOptions['setting']): GatehouseError {
  return failed(
    `There is no stream ${stream}, or its consumer ${durable} was taken away: make the stream, or correct nats.jetstream in the site file`,
  )
}

function refused({ stream, durable }: DurableOptions['setting']): string {
  return `The consumer ${durable} of the stream ${stream} cannot be used: see that the server is well, and that this user may publish on $JS.API.> and $JS.ACK.> and subscribe to _INBOX.>.`
}
