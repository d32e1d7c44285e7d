import { GatehouseError, type JsonValue, messageOf } from '../../core/index.ts'
import type { ActionFunction } from '../types.ts'
import type { Home } from '../world.ts'
import { attempt } from './attempt.ts'

interface Params {
  service: string
  target?: string | string[] | { entity_id: string | string[] }
  data?: { [key: string]: JsonValue }
}

const ENTITY = /^[a-z0-9_]{1,64}\.[a-z0-9_]{1,190}$/
/** Entities that are looked at after a move. */
const MOST_LOOKED_AT = 10

/** Calls a service, once. What it moved is looked at afterwards, and what it is like then is recorded. */
export const homeAssistant: ActionFunction = {
  async run(params, { effect, world, deliveryId, correlationId, signal }) {
    const { service, target, data = {} } = params as Params
    const { home } = world
    if (!home) throw new GatehouseError('not_possible', 'There is no Home Assistant here.')
    const entities = targetsOf(target)
    const wrong = entities.find(entity => !ENTITY.test(entity))
    if (wrong !== undefined)
      throw new GatehouseError(
        'bad_request',
        `“${wrong.slice(0, 80)}” is no entity, such as lock.front_door.`,
      )
    const whole = { ...data, ...(entities.length && { entity_id: entities }) }
    const { changed } = await attempt(effect, () =>
      home.call({ service, data: whole, deliveryId, correlationId, signal }),
    )
    if (effect !== 'move') return { receipt: { service, changed } }
    return { receipt: { service, changed, states: await statesOf(home, entities, signal) } }
  },
}

function targetsOf(target: Params['target']): string[] {
  const named = typeof target === 'object' && !Array.isArray(target) ? target.entity_id : target
  return (Array.isArray(named) ? named : [named]).filter(entity => entity !== undefined)
}

/** The move has been made: that it cannot be looked at does not change that. */
async function statesOf(home: Home, entities: readonly string[], signal: AbortSignal): Promise<JsonValue> {
  const looked = await Promise.all(
    entities.slice(0, MOST_LOOKED_AT).map(async (entity): Promise<[string, JsonValue]> => {
      try {
        return [entity, await home.state(entity, { signal })]
      } catch (error) {
        return [entity, { unread: messageOf(error) }]
      }
    }),
  )
  return Object.fromEntries(looked)
}
