/** What a file is meant to say after an edit: the text that comes out is held against it. */
import { toJson } from '../source.ts'
import type { Json } from '../types.ts'
import { type Place, sourceOf } from './place.ts'

type JsonMap = { [key: string]: Json }

export const isMap = (json: Json | undefined): json is JsonMap =>
  json !== null && typeof json === 'object' && !Array.isArray(json)

/** A copy in which what stands at a place is what `change` makes of it; undefined: it is not there. */
export function changedAt(
  json: Json | undefined,
  place: Place,
  change: (now: Json | undefined) => Json | undefined,
): Json | undefined {
  const [key, ...rest] = place
  if (key === undefined) return change(json)
  if (typeof key === 'number') {
    const list = Array.isArray(json) ? [...json] : []
    const next = changedAt(list[key], rest, change)
    if (next === undefined) list.splice(key, 1)
    else list[key] = next
    return list
  }
  const map = new Map(Object.entries(isMap(json) ? json : {}))
  const next = changedAt(map.get(key), rest, change)
  if (next === undefined) map.delete(key)
  else map.set(key, next)
  return Object.fromEntries(map)
}

/** The first of some texts that says just what is meant; null: none does. */
export function firstMeaning(texts: Iterable<string>, wanted: Json | undefined): string | null {
  const sought = canonical(wanted)
  for (const text of texts) if (canonical(meaning(text)) === sought) return text
  return null
}

export function meaning(text: string): Json | undefined {
  const src = sourceOf(text)
  return src ? toJson(src) : undefined
}

export const same = (a: Json | undefined, b: Json | undefined): boolean => canonical(a) === canonical(b)

/** Maps by the order of their keys: where a new one stands does not matter. Nothing at all is no empty map. */
function canonical(json: Json | undefined): string {
  return json === undefined ? '' : JSON.stringify(sorted(json))
}

function sorted(json: Json): Json {
  if (Array.isArray(json)) return json.map(sorted)
  if (!isMap(json)) return json
  return Object.fromEntries(
    Object.entries(json)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => [key, sorted(value)]),
  )
}
