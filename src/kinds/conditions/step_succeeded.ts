import type { ConditionFunction } from '../types.ts'

/** The named step ended well. */
export const stepSucceeded: ConditionFunction = {
  holds: (params, { succeeded }) => succeeded(String(params)),
}
