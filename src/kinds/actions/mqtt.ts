import { GatehouseError, type JsonValue } from '../../core/index.ts'
import type { ActionFunction } from '../types.ts'
import { attempt } from './attempt.ts'

interface Params {
  to: string
  json?: JsonValue
}

/** Publishes to a listed MQTT destination, once. */
export const mqtt: ActionFunction = {
  async run(params, { effect, world, deliveryId, correlationId, signal }) {
    const { to, json = null } = params as Params
    const { broker } = world
    if (!broker) throw new GatehouseError('not_possible', 'There is no MQTT broker here.')
    await attempt(effect, () => broker.publish({ to, json, deliveryId, correlationId, effect, signal }))
    return { receipt: { to } }
  },
}
