/** A value of a file becomes another one: as little of its text is touched as goes. */
import { toJson } from '../source.ts'
import type { Json } from '../types.ts'
import { entryAt, spliced, withEntry, withoutEntry, withValue, written } from './entries.ts'
import { withItem, withoutItem } from './items.ts'
import { colonOf, column, endOf } from './lines.ts'
import { changedAt, firstMeaning, isMap, meaning, same } from './meant.ts'
import { isInFlow, type Place, sourceOf, srcAt } from './place.ts'
import { below, pieceOf, spellings } from './written.ts'

/** Null where the text cannot be read, or where no change of it says what is meant. */
type Edited = string | null

/** `order`: how keys follow each other, where one is new. */
export function setAt(text: string, place: Place, value: Json, order: readonly string[] = []): Edited {
  const root = sourceOf(text)
  if (!root) return null
  const src = srcAt(root, place)
  if (!src) return added(text, place, value, order)
  const now = toJson(src)
  if (same(now, value)) return text
  if (src.type === 'map' && isMap(value) && src.entries.length > 0 && Object.keys(value).length > 0)
    return eachKey(text, place, now as { [key: string]: Json }, value, order)
  if (src.type === 'list' && Array.isArray(value) && src.items.length > 0 && value.length > 0)
    return eachItem(text, place, now as Json[], value)
  return replaced(text, place, value)
}

function added(text: string, place: Place, value: Json, order: readonly string[]): Edited {
  const root = sourceOf(text)
  const key = place.at(-1)
  const holder = place.slice(0, -1)
  if (!root || key === undefined) return null
  const wanted = changedAt(meaning(text), place, () => value)
  if (typeof key === 'number') return insertAt(text, holder, key, value)
  if (!srcAt(root, holder)) return setAt(text, holder, { [key]: value }, order)
  return firstMeaning(withEntry(root, holder, key, value, text, order), wanted)
}

function eachKey(
  text: string,
  place: Place,
  now: { [key: string]: Json },
  value: { [key: string]: Json },
  order: readonly string[],
): Edited {
  let out: Edited = text
  for (const [key, inner] of Object.entries(value))
    if (out !== null) out = setAt(out, [...place, key], inner, order.length > 0 ? order : Object.keys(value))
  for (const key of Object.keys(now))
    if (out !== null && !Object.hasOwn(value, key)) out = removeAt(out, [...place, key])
  return out
}

function eachItem(text: string, place: Place, now: readonly Json[], value: readonly Json[]): Edited {
  let head = 0
  while (head < Math.min(now.length, value.length) && same(now[head], value[head])) head++
  let tail = 0
  const most = Math.min(now.length, value.length) - head
  while (tail < most && same(now[now.length - 1 - tail], value[value.length - 1 - tail])) tail++
  const [gone, come] = [now.length - head - tail, value.length - head - tail]
  let out: Edited = text
  for (let i = 0; i < Math.min(gone, come) && out !== null; i++)
    out = setAt(out, [...place, head + i], value[head + i] as Json)
  for (let i = gone - 1; i >= come && out !== null; i--) out = removeAt(out, [...place, head + i])
  for (let i = gone; i < come && out !== null; i++)
    out = insertAt(out, place, head + i, value[head + i] as Json)
  return out
}

/** Another sort of value, or one that begins or ends as nothing. */
function replaced(text: string, place: Place, value: Json): Edited {
  const root = sourceOf(text)
  const src = root && srcAt(root, place)
  if (!root || !src) return null
  const wanted = changedAt(meaning(text), place, () => value)
  const owner = entryAt(root, place)
  const flow = isInFlow(root, place.slice(0, -1))
  const end = Math.max(endOf(src), src.from)
  const lines = text.slice(src.from, end).includes('\n') && !(src.type === 'scalar' || isInFlow(root, place))
  const gap = src.from === end && text[src.from - 1] === ':' ? ' ' : ''
  const brief = spellings(src, value, text).map(spelled => spliced(text, src.from, end, gap + spelled))
  const whole = value === null || typeof value !== 'object' || Object.keys(value).length === 0
  const ways: string[] = []
  if (owner && !flow && !whole && pieceOf(value).long) {
    const under = below(value, column(text, owner.keyFrom) + 2)
    ways.push(...withValue(owner, [under], text))
  }
  if (owner && !flow && lines) {
    // The comment behind the key stays there.
    const colon = colonOf(owner, text)
    const [head = '', ...rest] = text.slice(colon, end).split('\n')
    const kept = head.includes('#') || rest.length > 0 ? head : ''
    ways.push(...spellings(null, value, text).map(one => spliced(text, colon, end, ` ${one}${kept}`)))
  }
  return firstMeaning([...ways, ...brief], wanted) ?? anew(text, place, value)
}

/** An item taken out and written anew in its place; an entry likewise. */
function anew(text: string, place: Place, value: Json): Edited {
  const key = place.at(-1)
  const holder = place.slice(0, -1)
  if (typeof key === 'number') {
    const put = insertAt(text, holder, key, value)
    return put === null ? null : removeAt(put, [...holder, key + 1])
  }
  const root = sourceOf(text)
  const owner = root && entryAt(root, place)
  if (!root || !owner) return null
  const wanted = changedAt(meaning(text), place, () => value)
  const ways = written(String(key), value, text, column(text, owner.keyFrom)).map(lines =>
    spliced(text, owner.keyFrom, endOf(owner.value), lines.join('\n').trimStart()),
  )
  return firstMeaning(ways, wanted)
}

/** What stands there goes; a list or map that it was all of is empty then. */
export function removeAt(text: string, place: Place): Edited {
  const root = sourceOf(text)
  const key = place.at(-1)
  if (!root || key === undefined) return null
  if (!srcAt(root, place)) return text
  const wanted = changedAt(meaning(text), place, () => undefined)
  const ways =
    typeof key === 'number'
      ? withoutItem(root, place.slice(0, -1), key, text)
      : withoutEntry(root, place, text)
  return firstMeaning(ways, wanted)
}

/** A new item of a list, which is written where there is none yet. */
export function insertAt(
  text: string,
  list: Place,
  index: number,
  value: Json,
  order: readonly string[] = [],
): Edited {
  const root = sourceOf(text)
  if (!root) return null
  const src = srcAt(root, list)
  if (!src) return setAt(text, list, [value], order)
  const wanted = changedAt(meaning(text), list, now =>
    (Array.isArray(now) ? now : []).toSpliced(index, 0, value),
  )
  return firstMeaning(withItem(root, list, index, pieceOf(value), text), wanted)
}
