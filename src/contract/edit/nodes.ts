/** A trigger, conditions and names: what a file has beside its steps. */
import { stepKind, triggerKind } from '../kinds/index.ts'
import { TOP_KEYS } from '../read-workflow.ts'
import type { Src } from '../source.ts'
import type { Json, NodePath } from '../types.ts'
import { isMap } from './meant.ts'
import { moveAt } from './move.ts'
import { rekeyed } from './outcomes.ts'
import { jsonAt, type Place, placeOf, sourceOf, srcAt } from './place.ts'
import { insertAt, removeAt, setAt } from './set.ts'

type Edited = string | null

/** Where it is to be changed: under the `kind` of a node; `at`: keys from there on, none for all that it says. */
export interface ParamPlace {
  node: NodePath
  kind: string
  at: Place
}

/** A parameter becomes that; null: it is taken out. Null comes out where nothing of the text can say so. */
export function setParam(text: string, { node, kind, at }: ParamPlace, value: Json): Edited {
  const root = sourceOf(text)
  const place = root && [...placeOf(root, node), kind]
  if (!place || !srcAt(root, place)) return null
  if (value === null) return at.length > 0 ? removeAt(text, [...place, ...at]) : null
  return setAt(text, [...place, ...at], value, at.length === 1 ? paramOrder(kind) : [])
}

/** A parameter's item goes before another one of its list, as it is written. */
export function moveParam(text: string, { node, kind, at }: ParamPlace, to: number): Edited {
  const root = sourceOf(text)
  if (!root) return null
  const place = [...placeOf(root, node), kind, ...at]
  return moveAt(text, place, place.slice(0, -1), to)
}

const paramOrder = (kind: string): string[] =>
  Object.keys((stepKind(kind) ?? triggerKind(kind))?.params.properties ?? {})

/** Something of the head: `name`, `limits` … ; null: it is taken out. */
export const setHead = (text: string, at: Place, value: Json): Edited =>
  value === null ? removeAt(text, at) : setAt(text, at, value, at.length === 1 ? TOP_KEYS : [])

/** What starts it; of its parameters those stay that the new kind has too. */
export function setTrigger(text: string, kind: string, params: { [key: string]: Json }): Edited {
  const root = sourceOf(text)
  if (!root) return null
  const when = srcAt(root, ['when'])
  const [entry, second] = when?.type === 'map' ? when.entries : []
  if (!entry || second) return setAt(text, ['when'], { [kind]: params }, TOP_KEYS)
  if (entry.key === kind) return text
  const was = jsonAt(root, ['when', entry.key])
  const known = Object.keys(triggerKind(kind)?.params.properties ?? {})
  const kept = Object.entries(isMap(was) ? was : {}).filter(([key]) => known.includes(key))
  const renamed = rekeyed(text, ['when', entry.key], kind)
  return renamed === null ? null : setAt(renamed, ['when', kind], { ...params, ...Object.fromEntries(kept) })
}

/** One more condition for a run to begin. */
export const addGuard = (text: string, index: number, condition: Json): Edited =>
  insertAt(text, ['if'], index, condition, TOP_KEYS)

export function removeGuard(text: string, index: number): Edited {
  const root = sourceOf(text)
  const list = root && srcAt(root, ['if'])
  return list?.type === 'list' && list.items.length === 1 && index === 0
    ? removeAt(text, ['if'])
    : removeAt(text, ['if', index])
}

export const moveGuard = (text: string, index: number, to: number): Edited =>
  moveAt(text, ['if', index], ['if'], to)

/** A condition as a whole: of a node's path such as `if[0]`, `then[0].if[1]` or `if[0].any[1]`. */
export function setCondition(text: string, path: NodePath, condition: Json): Edited {
  const root = sourceOf(text)
  return root && setAt(text, placeOf(root, path), condition)
}

/** A step gets another name, or none; what refers to it follows. */
export function renameStep(text: string, node: NodePath, name: string | null): Edited {
  const root = sourceOf(text)
  if (!root) return null
  const step = placeOf(root, node)
  const place = [...step, 'name']
  const keys = Object.keys(jsonAt(root, step) ?? {})
  const old = jsonAt(root, place)
  if (name === null) return removeAt(text, place)
  let out = setAt(text, place, name, ['name', ...keys])
  if (typeof old !== 'string') return out
  for (const { at, value } of mentions(root, [], old, name)) if (out !== null) out = setAt(out, at, value)
  return out
}

/** Places that name a step, and what they are to say. */
function mentions(src: Src, at: Place, old: string, name: string): { at: Place; value: string }[] {
  if (src.type === 'list') return src.items.flatMap((item, i) => mentions(item, [...at, i], old, name))
  if (src.type === 'map')
    return src.entries.flatMap(({ key, value }) => mentions(value, [...at, key], old, name))
  if (src.type !== 'scalar' || typeof src.value !== 'string') return []
  const { value } = src
  const dotted = (text: string) => (text.startsWith(`${old}.`) ? name + text.slice(old.length) : text)
  const [key, over] = [at.at(-1), at.at(-2)]
  const next =
    key === 'step_succeeded' && value === old
      ? name
      : key === 'of' && over === 'value'
        ? dotted(value)
        : value.replace(/\{([^{}]+)\}/g, (_, inside: string) => `{${dotted(inside)}}`)
  return next === value ? [] : [{ at, value: next }]
}
