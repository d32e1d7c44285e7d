import { inWindow, type Window } from '../local-time.ts'
import type { ConditionFunction } from '../types.ts'

/**
 * The clock of the site stands in the window. On the two daylight-saving nights a time that does not exist means the
 * first instant after the gap, and one that exists twice means its first.
 */
export const time: ConditionFunction = {
  holds: (params, { now, site }) => inWindow(params as unknown as Window, now, site.timeZone),
}
