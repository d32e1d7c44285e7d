import type { ConditionFunction } from '../types.ts'

/** The site is in one of the modes. */
export const siteMode: ConditionFunction = {
  holds: (params, { mode }) => (Array.isArray(params) ? params.includes(mode) : params === mode),
}
