/** From a path of the contract's notation to the place in the source. */

import { entryOf, type Src } from './source.ts'
import type { Position } from './types.ts'

const SEGMENT = /\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|\.?([^.[\]]+)/y

/** The keys and indexes that a path is made of. */
export function pathKeys(path: string): (string | number)[] {
  const keys: (string | number)[] = []
  SEGMENT.lastIndex = 0
  for (let match = SEGMENT.exec(path); match; match = SEGMENT.exec(path)) {
    const [, index, quoted, plain] = match
    if (index !== undefined) keys.push(Number(index))
    else if (quoted !== undefined) keys.push(JSON.parse(`"${quoted}"`) as string)
    else keys.push(plain ?? '')
  }
  return keys
}

/**
 * Where a path stands: the node itself, or the nearest one around it that is there. `inside` holds the paths of
 * steps whose place in YAML is the map of their kind.
 */
export function locator(root: Src, inside: ReadonlyMap<string, Src>, place: (offset: number) => Position) {
  const find = finder(root, inside)
  return (path: string) => {
    const { from, to } = find(path)
    return { from, to, ...place(from) }
  }
}

/** The same, as the node itself. */
export function finder(root: Src, inside: ReadonlyMap<string, Src>): (path: string) => Src {
  return path => {
    let cut = path.length
    while (cut > 0 && !(/^($|[.[])/.test(path.slice(cut)) && inside.has(path.slice(0, cut)))) cut--
    const start = inside.get(path.slice(0, cut)) ?? root
    return nodeAt(start, pathKeys(path.slice(cut)))
  }
}

function nodeAt(root: Src, keys: readonly (string | number)[]): Src {
  let src = root
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]
    let next = src.type === 'list' ? src.items[Number(key)] : entryOf(src, String(key))?.value
    if (!next && i + 1 < keys.length) {
      // Kinds such as detect.person_in_zone hold a dot.
      next = entryOf(src, `${key}.${keys[i + 1]}`)?.value
      if (next) i++
    }
    if (!next) return src
    src = next
  }
  return src
}
