import type { ActionFunction } from '../types.ts'

/** A line in the run itself: the step's row is the line. */
export const log: ActionFunction = {
  run: params => ({ receipt: { text: String(params) } }),
}
