/** What a step can come to: its words, and the paths, rules and defaults that go by them. */
import { PATH_NAMES } from '../read-step.ts'
import type { Json, NodePath } from '../types.ts'
import { entryAt, withKey } from './entries.ts'
import { changedAt, firstMeaning, isMap, meaning } from './meant.ts'
import { INSIDE, jsonAt, type Place, placeOf, sourceOf, srcAt } from './place.ts'
import { insertAt, removeAt, setAt } from './set.ts'
import { pathOrder } from './steps.ts'

type Edited = string | null

interface Named {
  kind: string
  /** Its parameters. */
  params: Place
  /** The list of its words. */
  list: Place
  words: string[]
  /** The map that holds its paths. */
  paths: Place
}

function namedAt(text: string, node: NodePath): Named | null {
  const root = sourceOf(text)
  if (!root) return null
  const step = placeOf(root, node)
  const src = srcAt(root, step)
  const kind = src?.type === 'map' ? src.entries.find(({ key }) => PATH_NAMES[key])?.key : undefined
  const list = kind && PATH_NAMES[kind]
  if (!kind || !list) return null
  const params = [...step, kind]
  const given = jsonAt(root, [...params, list])
  const words = Array.isArray(given) ? given.map(String) : []
  return { kind, params, list: [...params, list], words, paths: INSIDE.includes(kind) ? params : step }
}

/** One more decision, reply or outcome. An AI step gets a path for it, with nothing in it. */
export function addOutcome(text: string, node: NodePath, word: string): Edited {
  const named = namedAt(text, node)
  if (!named || named.words.includes(word)) return null
  const { kind, params, list, words, paths } = named
  const listed = insertAt(text, list, words.length, word)
  const root = listed === null ? null : sourceOf(listed)
  const src = root && srcAt(root, params)
  if (!src || listed === null || kind !== 'ai' || entryAt(root, [...paths, word])) return listed
  return setAt(listed, [...paths, word], [], pathOrder(kind, src))
}

/** With its path, and the rules and defaults that name it. */
export function removeOutcome(text: string, node: NodePath, word: string): Edited {
  const named = namedAt(text, node)
  if (!named?.words.includes(word)) return null
  const { params, list, words, paths } = named
  let out = removeAt(text, [...list, words.indexOf(word)])
  if (out !== null) out = removeAt(out, [...paths, word])
  for (const index of rulesTo(text, params, word).reverse())
    if (out !== null) out = removeAt(out, [...params, 'rules', index])
  return out === null ? null : forDefault(out, params, word, place => now => removeAt(now, place))
}

/** Its path, and the rules and defaults that name it, follow. */
export function renameOutcome(text: string, node: NodePath, word: string, to: string): Edited {
  const named = namedAt(text, node)
  if (!named?.words.includes(word) || named.words.includes(to)) return null
  const { params, list, words, paths } = named
  let out = setAt(text, [...list, words.indexOf(word)], to)
  if (out !== null) out = rekeyed(out, [...paths, word], to)
  for (const index of rulesTo(text, params, word))
    if (out !== null) out = setAt(out, [...params, 'rules', index, 'then'], to)
  return out === null ? null : forDefault(out, params, word, place => now => setAt(now, place, to))
}

/** A key gets another name; what is not there needs none. */
export function rekeyed(text: string, place: Place, key: string): Edited {
  const root = sourceOf(text)
  if (!root || !entryAt(root, place)) return text
  const value = jsonAt(root, place)
  const without = changedAt(meaning(text), place, () => undefined)
  const wanted = changedAt(without, [...place.slice(0, -1), key], () => value)
  return firstMeaning(withKey(root, place, key, text), wanted)
}

function rulesTo(text: string, params: Place, word: string): number[] {
  const root = sourceOf(text)
  const rules = root && jsonAt(root, [...params, 'rules'])
  const leads = (rule: Json) => isMap(rule) && rule.then === word
  return Array.isArray(rules) ? rules.flatMap((rule, i) => (leads(rule) ? [i] : [])) : []
}

function forDefault(
  text: string,
  params: Place,
  word: string,
  edit: (at: Place) => (text: string) => Edited,
) {
  const place = [...params, 'default']
  const root = sourceOf(text)
  return root && jsonAt(root, place) === word ? edit(place)(text) : text
}
