import { GatehouseError, type JsonValue } from '../../core/index.ts'
import { type ActionFunction, Uncertain, Undelivered } from '../types.ts'
import { attempt } from './attempt.ts'

interface Params {
  to: string
  method?: string
  json?: JsonValue
}

/** As much of an answer as a run keeps. */
const MOST_BODY = 2_000
/** Answers under 500 after which another try may go better: too slow, too early, too much. */
const passing = new Set([408, 425, 429])

/**
 * Sends to a listed destination, once. Of a message that informs, `Undelivered` says that another try may get
 * through. Of a move, an answer of 4xx means that it did not happen; anything less clear throws `Uncertain`.
 */
export const webhook: ActionFunction = {
  async run(params, { effect, outgoing, deliveryId, correlationId, signal }) {
    const { to, method = 'POST', json = null } = params as Params
    const move = effect === 'move'
    const { status, body } = await attempt(effect, () =>
      outgoing.send({ to, method, json, deliveryId, effect, correlationId, signal }),
    )
    if (status < 400) return { receipt: { status, body: body.slice(0, MOST_BODY).toWellFormed() } }
    const error = new GatehouseError('destination_refused', `${to} answered ${status}: check what it expects`)
    if (move && status >= 500) throw new Uncertain(error.message)
    if (!move && (status >= 500 || passing.has(status))) throw new Undelivered(error)
    throw error
  },
}
