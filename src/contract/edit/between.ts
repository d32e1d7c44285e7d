import type { TextEdit } from '../types.ts'

/** The one replacement that makes a text out of another one: no more of it than differs. */
export function editBetween(before: string, after: string): TextEdit {
  const most = Math.min(before.length, after.length)
  let from = 0
  while (from < most && before[from] === after[from]) from++
  let tail = 0
  while (tail < most - from && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  return { from, to: before.length - tail, insert: after.slice(from, after.length - tail) }
}
