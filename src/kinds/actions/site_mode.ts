import type { ActionFunction } from '../types.ts'
import { attempt } from './attempt.ts'

interface Params {
  to: string
  reason?: string
}

/** Sets the site's mode, on the NVR where that keeps it. Why it does (`reason`) is kept with the step. */
export const siteMode: ActionFunction = {
  async run(params, { siteMode, effect, correlationId, signal }) {
    const { to, reason } = params as Params
    const from = siteMode.get()
    const why = { correlationId, signal, ...(reason !== undefined && { reason }) }
    await attempt(effect, () => siteMode.set(to, why))
    return { receipt: { from, to } }
  },
}
