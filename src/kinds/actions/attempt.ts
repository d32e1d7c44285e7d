import type { Effect } from '../../contract/index.ts'
import { GatehouseError } from '../../core/index.ts'
import { Uncertain, Undelivered } from '../types.ts'

/** Failures in which nothing has left the box, or whoever carries it says that they did not take it. */
const neverLeft = new Set([
  'camera_refused',
  'camera_unknown',
  'destination_refused',
  'egress_denied',
  'destination_unknown',
  'destination_unreachable',
  'bad_request',
  'not_possible',
  'preset_unknown',
  'mode_unknown',
])
/** Failures of a message in which another try may get through. */
const mayGetThrough = new Set(['destination_unreachable', 'destination_unanswered'])

/**
 * One attempt to reach the world. Of a move that may have happened although it failed, `Uncertain`; of a message that
 * may get through another time, `Undelivered`; else the failure as it was.
 */
export async function attempt<T>(effect: Effect, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const known = error instanceof GatehouseError ? error : null
    if (effect === 'move' && !(known && neverLeft.has(known.code)))
      throw new Uncertain(known?.message ?? String(error))
    if (effect !== 'move' && !(known && !mayGetThrough.has(known.code))) throw new Undelivered(error)
    throw error
  }
}
