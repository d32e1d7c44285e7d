import type { JsonValue } from '../../core/index.ts'
import type { Home } from '../../kinds/index.ts'
import type { HomeChannel } from '../../site/index.ts'
import type { ChannelDriver } from './driver.ts'
import type { Message } from './message.ts'

/** Of whoever uses a notification service of Home Assistant: mostly a telephone with its companion app. */
export class HomeNotify implements ChannelDriver {
  readonly #channel: HomeChannel
  readonly #home: Home

  constructor(channel: HomeChannel, home: Home) {
    this.#channel = channel
    this.#home = home
  }

  async send(message: Message, at: string | null, signal: AbortSignal): Promise<void> {
    const { id: deliveryId, correlationId } = message
    const service = at ?? this.#channel.service ?? ''
    await this.#home.call({ service, data: dataOf(message), deliveryId, correlationId, signal })
  }
}

/** A later message with the same tag takes the place of an earlier one, as does a repeat. */
function dataOf({ id, title, body, severity, silent, link, thread }: Message): { [key: string]: JsonValue } {
  const grave = severity === 'high' || severity === 'critical'
  return {
    title: body ? title : 'Gatehouse',
    message: body || title,
    data: {
      tag: thread ?? id,
      group: 'gatehouse',
      ...(link && { url: link, clickAction: link }),
      ...(silent && { importance: 'low', push: { 'interruption-level': 'passive' } }),
      ...(grave && {
        ttl: 0,
        priority: 'high',
        importance: 'high',
        push: { 'interruption-level': 'time-sensitive' },
      }),
    },
  }
}
