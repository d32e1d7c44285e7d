/** Places of a file as its text has them: keys and indexes from the top down. */
import { pathKeys } from '../locate.ts'
import { ProblemList } from '../reporter.ts'
import { entryOf, readSource, type Src, toJson } from '../source.ts'
import type { Json, NodePath } from '../types.ts'

export type Place = readonly (string | number)[]

/** A list of steps: a path of a step, or `then` and `always` (parent `''`). */
export interface Lane {
  parent: NodePath
  outcome: string
}

/** Kinds whose paths stand inside their own map. */
export const INSIDE: readonly string[] = ['ai', 'for_each']

/** The file as a tree; null where it is no YAML that can be read. */
export const sourceOf = (text: string): Src | null => readSource(text, new ProblemList(text))

export function srcAt(root: Src, place: Place): Src | undefined {
  let src: Src | undefined = root
  for (const key of place)
    src = src?.type === 'list' ? src.items[Number(key)] : src && entryOf(src, String(key))?.value
  return src
}

/** What stands at a place; undefined: nothing. */
export function jsonAt(root: Src, place: Place): Json | undefined {
  const src = srcAt(root, place)
  return src && toJson(src)
}

/** Where a node stands in the text, whether or not it is there yet. */
export function placeOf(root: Src, path: NodePath): Place {
  const place: (string | number)[] = []
  for (const key of pathKeys(path)) {
    const here = srcAt(root, place)
    const kind = here?.type === 'map' && typeof key === 'string' && INSIDE.find(it => entryOf(here, it))
    if (kind && key !== kind) place.push(kind)
    place.push(key)
  }
  return place
}

/** Where the steps of a path stand, whether or not they are there yet. */
export const lanePlace = (root: Src, { parent, outcome }: Lane): Place => {
  if (parent === '') return [outcome]
  const place = placeOf(root, parent)
  const step = srcAt(root, place)
  const kind = step && INSIDE.find(it => entryOf(step, it))
  return kind ? [...place, kind, outcome] : [...place, outcome]
}

/** Whether something that is put there has to be written on one line, since what is around it is in braces. */
export function isInFlow(root: Src, place: Place): boolean {
  for (let depth = 0; depth <= place.length; depth++) {
    const src = srcAt(root, place.slice(0, depth))
    if (src && (src.type === 'map' || src.type === 'list') && src.flow) return true
  }
  return false
}
