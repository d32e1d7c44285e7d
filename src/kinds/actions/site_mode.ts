import type { ActionFunction } from '../types.ts'

interface Params {
  to: string
}

/** Sets the site's mode. Why it does (`reason`) is kept with the step. */
export const siteMode: ActionFunction = {
  async run(params, ctx) {
    const { to } = params as Params
    const from = ctx.siteMode.get()
    await ctx.siteMode.set(to)
    return { receipt: { from, to } }
  },
}
