import type { JsonValue } from '../../core/index.ts'
import type { Broker, Outgoing } from '../../kinds/index.ts'
import type { ListedChannel } from '../../site/index.ts'
import { neverTold } from '../notices/channel.ts'
import { type ChannelDriver, channelDown } from './driver.ts'
import type { Message } from './message.ts'

/** A program behind a listed address. */
export class Webhook implements ChannelDriver {
  readonly #channel: ListedChannel
  readonly #outgoing: Outgoing

  constructor(channel: ListedChannel, outgoing: Outgoing) {
    this.#channel = channel
    this.#outgoing = outgoing
  }

  async send(message: Message, _at: string | null, signal: AbortSignal): Promise<void> {
    const { name, destination: to } = this.#channel
    const { id: deliveryId, correlationId } = message
    const json = jsonOf(message)
    const request = { to, method: 'POST', json, deliveryId, correlationId, effect: 'tell' as const, signal }
    const { status } = await this.#outgoing.send(request)
    if (status >= 200 && status < 300) return
    // That it is this very message which is wrong is said by these; by any other, that the receiver is.
    if (status === 400 || status === 413 || status === 422)
      throw neverTold(`${to} does not take it (${status}).`)
    throw channelDown(`channels.${name}: ${to} answers ${status}.`)
  }
}

/** Whoever listens to a listed topic of the broker. */
export class Topic implements ChannelDriver {
  readonly #channel: ListedChannel
  readonly #broker: Broker

  constructor(channel: ListedChannel, broker: Broker) {
    this.#channel = channel
    this.#broker = broker
  }

  async send(message: Message, _at: string | null, signal: AbortSignal): Promise<void> {
    const { destination: to } = this.#channel
    const { id: deliveryId, correlationId } = message
    const json = jsonOf(message)
    await this.#broker.publish({ to, json, deliveryId, correlationId, effect: 'tell', signal })
  }
}

/** A message as programs read it. */
function jsonOf({ id, kind, severity, title, body, silent, link, thread, at, facts }: Message): JsonValue {
  return { id, kind, severity, title, body, silent, link, thread, at, ...facts }
}
