import { parseDuration } from '../../contract/index.ts'
import type { ConditionFunction } from '../types.ts'

/** So much time has passed since the step that asks began. */
export const elapsed: ConditionFunction = {
  holds: (params, { now, startedAt }) =>
    now - startedAt >= (parseDuration(String(params)) ?? Number.POSITIVE_INFINITY),
}
