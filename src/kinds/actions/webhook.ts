import { GatehouseError, type JsonValue, messageOf } from '../../core/index.ts'
import { type ActionContext, type ActionFunction, Uncertain } from '../types.ts'

interface Params {
  to: string
  method?: string
  json?: JsonValue
}

/** Pauses before the second and third try of what informs. What moves is tried once. */
const PAUSES_MS = [1_000, 4_000]
/** As much of an answer as a run keeps. */
const MOST_BODY = 2_000
/** Failures in which nothing has left the box. */
const neverLeft = new Set(['egress_denied', 'destination_unknown', 'destination_unreachable', 'bad_request'])

/**
 * Sends to a listed destination. A message that informs is tried up to three times under one delivery id. A move
 * is sent once: an answer of 4xx means that it did not happen, anything less clear throws `Uncertain`.
 */
export const webhook: ActionFunction = {
  async run(params, ctx) {
    const move = ctx.effect === 'move'
    for (let attempt = 0; ; attempt++) {
      const result = await attemptOnce(params as Params, ctx)
      if (result.ok) return { receipt: { ...result.receipt, tries: attempt + 1 } }
      const pause = PAUSES_MS[attempt]
      if (move && !result.clear) throw new Uncertain(result.error.message)
      if (move || result.final || pause === undefined || ctx.signal.aborted) throw result.error
      await ctx.pause(pause)
    }
  },
}

type Attempt =
  | { ok: true; receipt: { status: number; body: string } }
  /** `clear`: surely nothing happened; `final`: another try would end the same way. */
  | { ok: false; clear: boolean; final: boolean; error: Error }

async function attemptOnce(
  { to, method = 'POST', json = null }: Params,
  ctx: ActionContext,
): Promise<Attempt> {
  const { deliveryId, signal } = ctx
  try {
    const { status, body } = await ctx.outgoing.send({ to, method, json, deliveryId, signal })
    if (status < 400) return { ok: true, receipt: { status, body: body.slice(0, MOST_BODY).toWellFormed() } }
    const error = new GatehouseError('destination_refused', `${to} answered ${status}: check what it expects`)
    const final = status < 500 && status !== 408 && status !== 429
    return { ok: false, clear: status < 500, final, error }
  } catch (error) {
    const left = !(error instanceof GatehouseError && neverLeft.has(error.code))
    const final = error instanceof GatehouseError && error.code !== 'destination_unreachable' && !left
    return {
      ok: false,
      clear: !left,
      final,
      error: error instanceof Error ? error : new Error(messageOf(error)),
    }
  }
}
