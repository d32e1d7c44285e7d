import { GatehouseError, type JsonValue } from '../../core/index.ts'
import type { ActionFunction } from '../types.ts'
import { attempt } from './attempt.ts'

interface Params {
  id: string
  action: string
  params?: { [name: string]: JsonValue }
}

/** As much of an app's answer as a run keeps, as JSON. */
const MOST_RESULT = 2_000

/** Has an app of the NVR do one of its actions, once. */
export const app: ActionFunction = {
  async run(given, { effect, world: { apps }, deliveryId, correlationId, signal }) {
    const { id, action, params = {} } = given as Params
    if (!apps) throw new GatehouseError('not_possible', 'There is no NVR here.')
    const result = await attempt(effect, () =>
      apps.act({ id, action, params, deliveryId, correlationId, signal }),
    )
    const whole = JSON.stringify(result).length <= MOST_RESULT
    return { receipt: { id, action, result: whole ? result : 'it is too long to be kept' } }
  },
}
