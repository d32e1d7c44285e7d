/** Steps are put in, taken out and moved; every other line stays. */
import { flowKind } from '../kinds/index.ts'
import { PATH_NAMES } from '../read-step.ts'
import { TOP_KEYS } from '../read-workflow.ts'
import { type Src, toJson } from '../source.ts'
import type { Json, NodePath } from '../types.ts'
import { entryAt } from './entries.ts'
import { colonOf, lineEnd } from './lines.ts'
import { isMap } from './meant.ts'
import { moveAt } from './move.ts'
import { INSIDE, jsonAt, type Lane, lanePlace, type Place, placeOf, sourceOf, srcAt } from './place.ts'
import { insertAt, removeAt } from './set.ts'

/** `step`: as a file says it, its paths included. `index`: before which one of that path. */
export function addStep(text: string, lane: Lane, index: number, step: Json): string | null {
  const root = sourceOf(text)
  return root && insertAt(text, lanePlace(root, lane), index, step, orderIn(root, lane))
}

/** With all that is on its paths. A path that nobody asked for goes with its last step. */
export function removeStep(text: string, path: NodePath): string | null {
  const root = sourceOf(text)
  if (!root) return null
  const place = placeOf(root, path)
  const list = place.slice(0, -1)
  const src = srcAt(root, list)
  if (typeof place.at(-1) !== 'number' || !srcAt(root, place)) return null
  const owner = entryAt(root, list)
  const bare = owner && text.slice(colonOf(owner, text), lineEnd(text, owner.keyTo)).trim() === ''
  if (src?.type === 'list' && src.items.length === 1 && bare && isOptional(root, list))
    return removeAt(text, list)
  return removeAt(text, place)
}

/** The same once more, right behind it; a name is one step's alone. */
export function copyStep(text: string, path: NodePath): string | null {
  const root = sourceOf(text)
  const place = root && placeOf(root, path)
  const step = place && jsonAt(root, place)
  const index = place?.at(-1)
  if (!isMap(step ?? undefined) || typeof index !== 'number' || !place) return null
  const { name: _, ...rest } = step as { [key: string]: Json }
  return insertAt(text, place.slice(0, -1), index + 1, rest)
}

/** `index`: before which step of that path as it is now. Null where it cannot go there, or stays where it is. */
export function moveStep(text: string, path: NodePath, lane: Lane, index: number): string | null {
  const root = sourceOf(text)
  return root && moveAt(text, placeOf(root, path), lanePlace(root, lane), index, orderIn(root, lane))
}

/** Whether the path may be left out. */
function isOptional(root: Src, list: Place): boolean {
  const outcome = String(list.at(-1))
  if (list.length === 1) return outcome === 'always'
  const step = srcAt(root, list.slice(0, -1))
  const kind = step?.type === 'map' ? step.entries.find(({ key }) => flowKind(key)) : undefined
  return kind !== undefined && !INSIDE.includes(kind.key) && !(kind.key === 'if' && outcome === 'then')
}

/** The keys around a path, in the order in which they follow each other. */
function orderIn(root: Src, { parent }: Lane): readonly string[] {
  if (parent === '') return TOP_KEYS
  const step = srcAt(root, placeOf(root, parent))
  const kind = step?.type === 'map' ? step.entries.find(({ key }) => flowKind(key)) : undefined
  return kind ? pathOrder(kind.key, kind.value) : []
}

/** What may stand in the map that holds the paths of a step, in its order. */
export function pathOrder(kind: string, params: Src): string[] {
  const known = Object.keys(flowKind(kind)?.params.properties ?? {})
  const outcomes = outcomesOf(kind, toJson(params))
  return INSIDE.includes(kind) ? [...known, ...outcomes] : ['name', kind, ...outcomes]
}

const FIXED: Readonly<Record<string, readonly string[]>> = {
  ai: ['unsure'],
  if: ['then', 'else'],
  for_each: ['do'],
  ask_person: ['no_answer'],
  call: ['no_answer'],
  wait_for: ['met', 'timeout'],
}

/** The paths that a step may have, as far as its parameters can be read. */
export function outcomesOf(kind: string, params: Json | undefined): string[] {
  const named = PATH_NAMES[kind]
  const given = named && isMap(params) ? params[named] : undefined
  const own = Array.isArray(given) ? given.filter(one => typeof one === 'string') : []
  return [...own, ...(FIXED[kind] ?? [])]
}
