/** Something is taken from one list into another one, or to another place of its own, as it is written. */
import type { Json } from '../types.ts'
import { pieceAt, withItem } from './items.ts'
import { changedAt, firstMeaning, meaning } from './meant.ts'
import { jsonAt, type Place, sourceOf, srcAt } from './place.ts'
import { insertAt, removeAt, setAt } from './set.ts'

/** `to`: before which item of that list as it is now. Null where it cannot go there, or nothing would come of it. */
export function moveAt(
  text: string,
  from: Place,
  list: Place,
  to: number,
  order: readonly string[] = [],
): string | null {
  const index = from.at(-1)
  const root = sourceOf(text)
  if (!root || typeof index !== 'number') return null
  const home = from.slice(0, -1)
  const value = jsonAt(root, from)
  if (value === undefined || begins(list, from)) return null
  if (same(home, list) && (to === index || to === index + 1)) return null
  const piece = pieceAt(root, home, index, text)
  if (!piece) return null
  const whole = meaning(text)
  const put = (now: Json | undefined) => (Array.isArray(now) ? now : []).toSpliced(to, 0, value)
  const opened = srcAt(root, list) ? text : setAt(text, list, [], order)
  const there = opened === null ? null : sourceOf(opened)
  if (opened === null || !there) return null
  const copied =
    firstMeaning(withItem(there, list, to, piece, opened), changedAt(whole, list, put)) ??
    (hasNoComment(piece.item(0)) ? insertAt(opened, list, to, value, order) : null)
  if (copied === null) return null
  return removeAt(copied, shiftedBy(from, list, to))
}

const hasNoComment = (lines: readonly string[] | null) => !lines?.some(line => /(^|\s)#/.test(line))

/** Where something is once an item was put into a list before it. */
export function shiftedBy(place: Place, list: Place, index: number): Place {
  const at = place[list.length]
  if (!begins(place, list) || typeof at !== 'number' || at < index) return place
  return place.toSpliced(list.length, 1, at + 1)
}

const begins = (place: Place, with_: Place) => with_.every((key, i) => place[i] === key)
const same = (a: Place, b: Place) => a.length === b.length && begins(a, b)
