import type { ActionFunction } from '../types.ts'

interface Params {
  to: string
  reason?: string
}

/** Sets the site's mode. */
export const siteMode: ActionFunction = {
  async run(params, ctx) {
    const { to, reason = null } = params as Params
    const from = ctx.siteMode.get()
    await ctx.siteMode.set(to, reason)
    return { receipt: { from, to } }
  },
}
