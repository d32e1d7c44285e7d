import type { IPublishPacket, MqttClient, Packet } from 'mqtt'
import { type Clock, GatehouseError } from '../../core/index.ts'
import { dial } from './dial.ts'
import { isOldProtocol, whyRefused, whyShutOut, whyUnreached } from './reasons.ts'

/** So long an acknowledgement may take. */
const ACK_MS = 10_000
/** So long a goodbye may take. */
const END_MS = 1_000
/** The broker took it, and nobody is there to hear it. */
const NOBODY = 16

/** What a message is, and what the broker shall do with it. */
export interface Message {
  topic: string
  payload: string | Uint8Array
  qos: 0 | 1
  retain: boolean
  /** Told beside it, where the broker speaks MQTT 5. */
  properties?: Readonly<Record<string, string>>
}

export interface SessionOptions {
  url: URL
  /** The checked address that is connected to. */
  address: string
  ca: string | null
  clientId: string
  user: string | null
  password: string | null
  /** What the broker says for us when we are gone. */
  will: { topic: string; payload: string }
  clock: Clock
  connectMs: number
  /** 5, or 4 (MQTT 3.1.1) for brokers that do not know it. */
  version: 4 | 5
  onMessage(topic: string, payload: Uint8Array, retained: boolean): void
}

/** The broker speaks an older MQTT. */
export class OldBroker extends Error {}

/** One connection to a broker, from its beginning to its end; what was under way when it broke is not sent again. */
export class Session {
  /** Resolves with why it is over, for people. */
  readonly closed: Promise<string>
  readonly #client: MqttClient
  readonly #clock: Clock
  readonly #version: 4 | 5
  /** Messages that nobody heard, until their acknowledgement was handed on. */
  readonly #unheard = new Set<number>()
  readonly #waiting = new Set<(error: GatehouseError) => void>()
  #why: string | null = null

  private constructor(client: MqttClient, { clock, version, onMessage }: SessionOptions) {
    this.#client = client
    this.#clock = clock
    this.#version = version
    const { promise, resolve } = Promise.withResolvers<string>()
    this.closed = promise
    client.on('message', (topic, payload, { retain }) => onMessage(topic, payload, retain))
    client.on('packetreceive', (packet: Packet) => {
      if (packet.cmd === 'puback' && packet.reasonCode === NOBODY) this.#unheard.add(packet.messageId ?? -1)
    })
    client.on('disconnect', ({ reasonCode }) => {
      this.#why = whyRefused(reasonCode ?? 0)
    })
    client.on('error', error => {
      this.#why ??= whyUnreached(error)
    })
    client.on('close', () => {
      for (const lost of this.#waiting) lost(unanswered('is gone'))
      resolve(this.#why ?? 'the broker closed the connection')
    })
  }

  /** Rejects with one line for people, or with `OldBroker`. */
  static async open(options: SessionOptions): Promise<Session> {
    // Its 16 MB are for boxes that have a broker.
    const { MqttClient } = await import('mqtt')
    const { url, address, ca, clientId, user, password, will, version, connectMs } = options
    let broke: unknown
    const build = () => {
      const socket = dial(url, address, ca)
      socket.on('error', error => {
        broke ??= error
      })
      return socket
    }
    const client = new MqttClient(build, {
      protocolVersion: version,
      clientId,
      ...(user !== null && { username: user }),
      ...(password !== null && { password }),
      clean: true,
      keepalive: 30,
      reconnectPeriod: 0,
      resubscribe: false,
      connectTimeout: connectMs,
      will: { ...will, qos: 1, retain: true },
      ...(version === 5 && { properties: { maximumPacketSize: 2 * 1024 * 1024 } }),
    })
    const { promise, resolve, reject } = Promise.withResolvers<Session>()
    client.once('connect', () => resolve(new Session(client, options)))
    client.on('error', error => {
      const { code } = error as { code?: unknown }
      const refused = typeof code === 'number'
      if (refused && isOldProtocol(code)) reject(new OldBroker())
      else reject(new Error(refused ? whyShutOut(code) : whyUnreached(error)))
    })
    client.once('close', () => reject(new Error(whyUnreached(broke))))
    try {
      return await promise
    } catch (error) {
      client.end(true)
      throw error
    }
  }

  get connected(): boolean {
    return this.#client.connected
  }

  /** What the broker has to answer yet. */
  get pending(): number {
    return Object.keys(this.#client.outgoing).length
  }

  /** Rejects where the broker does not let us hear one of them. At most once is what they are sent to us. */
  async subscribe(topics: readonly string[]): Promise<void> {
    await this.#client.subscribeAsync([...topics], { qos: 0 })
  }

  async unsubscribe(topic: string): Promise<void> {
    await this.#client.unsubscribeAsync(topic)
  }

  /**
   * Resolves once the broker has taken it; `heard`: false where the broker says that nobody listens. Rejects with
   * `destination_unreachable` (nothing has left the box), `destination_refused` (the broker did not take it), or
   * `destination_unanswered`.
   */
  async publish({ topic, payload, properties, ...options }: Message): Promise<{ heard: boolean }> {
    if (!this.connected) throw unreachable()
    const { promise, resolve, reject } = Promise.withResolvers<{ heard: boolean }>()
    const body = typeof payload === 'string' ? payload : Buffer.from(payload)
    const told =
      properties && this.#version === 5 ? { properties: { userProperties: { ...properties } } } : {}
    const cancel = this.#clock.after(ACK_MS, () => reject(unanswered('did not acknowledge it in time')))
    this.#client.publish(topic, body, { ...options, ...told }, (error, packet) => {
      if (!error) resolve({ heard: !this.#unheard.delete((packet as IPublishPacket)?.messageId ?? -1) })
      else if ('code' in error && typeof error.code === 'number') reject(refused(whyRefused(error.code)))
      else reject(unanswered('is gone'))
    })
    this.#waiting.add(reject)
    return promise.finally(() => {
      this.#waiting.delete(reject)
      cancel()
    })
  }

  /** Breaks off, or after all that is under way. */
  async end(force = false): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const cancel = this.#clock.after(END_MS, () => this.#client.end(true, () => resolve()))
    this.#client.end(force, () => resolve())
    await promise.finally(cancel)
  }
}

/** There is no connection. */
export function unreachable(): GatehouseError {
  return new GatehouseError('destination_unreachable', 'The MQTT broker cannot be reached now.', {
    status: 502,
  })
}

function refused(why: string): GatehouseError {
  return new GatehouseError('destination_refused', `The MQTT broker did not take it: ${why}.`, {
    status: 502,
  })
}

function unanswered(why: string): GatehouseError {
  return new GatehouseError('destination_unanswered', `The MQTT broker ${why}.`, { status: 504 })
}
