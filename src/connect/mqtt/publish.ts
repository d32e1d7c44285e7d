import { GatehouseError, type JsonValue } from '../../core/index.ts'
import type { Broker } from '../../kinds/index.ts'
import type { Topic } from '../../site/index.ts'
import { type Session, unreachable } from './session.ts'

const MAX_PAYLOAD_CHARS = 256 * 1024

/** Where a message of a workflow goes. */
export interface Where {
  /** The listed topic, or null. */
  topic: Topic | null
  /** It is listed, as an address. */
  isAddress: boolean
  /** Above this box's own topics, where that is known. */
  own: string | null
  session: Session | null
}

/**
 * Publishes to a listed topic, once. A move is acknowledged by the broker, and refused where nobody is there to hear it:
 * it did not happen. Rejects as `Broker.publish` says, and with `destination_refused`.
 */
export async function publishListed(
  { to, json, deliveryId, correlationId, effect, signal }: Parameters<Broker['publish']>[0],
  { topic, isAddress, own, session }: Where,
): Promise<void> {
  if (!topic) throw new GatehouseError('destination_unknown', unknown(to, isAddress))
  if (own !== null && (topic.topic === own || topic.topic.startsWith(`${own}/`)))
    throw new GatehouseError('bad_request', `${to} is a topic on which this Gatehouse itself is heard.`)
  const move = effect === 'move' || topic.class === 'move'
  const payload = textOf(json)
  if (payload.length > MAX_PAYLOAD_CHARS)
    throw new GatehouseError(
      'bad_request',
      `${to}: the json is larger than ${MAX_PAYLOAD_CHARS / 1024} kB: send less.`,
    )
  if (!session || signal.aborted) throw unreachable()
  const { heard } = await orAborted(
    session.publish({
      topic: topic.topic,
      payload,
      qos: move ? 1 : topic.qos,
      retain: !move && topic.retain,
      properties: { 'webhook-id': deliveryId, 'x-correlation-id': correlationId },
    }),
    signal,
  )
  if (move && !heard)
    throw new GatehouseError(
      'destination_refused',
      `Nobody listens to ${to} on the MQTT broker: look whether its receiver is on.`,
      { status: 502 },
    )
}

/** A text goes as it is, as `ON` for a switch; anything else as JSON; nothing as an empty message. */
function textOf(json: JsonValue): string {
  if (json === null) return ''
  return typeof json === 'string' ? json : JSON.stringify(json)
}

function unknown(to: string, isAddress: boolean): string {
  return isAddress
    ? `${to} is an address: send to it with webhook, or list a topic for mqtt.`
    : `${to} is not listed: add it to the site's destinations.`
}

async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () =>
    reject(
      new GatehouseError('destination_unanswered', 'The MQTT broker did not answer in time.', {
        status: 504,
      }),
    )
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
