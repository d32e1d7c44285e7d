import type { ActionFunction } from '../types.ts'

/** Answers the message that started the run: the step's row is the answer, and whoever wrote reads it there. */
export const reply: ActionFunction = {
  rowsOnly: true,
  run: () => ({ receipt: {} }),
}
