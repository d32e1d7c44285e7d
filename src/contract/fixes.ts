import type { Src } from './source.ts'
import type { Fix } from './types.ts'

/** Puts an entry (`unsure: []`) into a map, before its last one: right in block and flow style alike. */
export function insertKey(title: string, map: Src, entry: string, text: string): Fix | undefined {
  if (map.type !== 'map') return undefined
  const last = map.entries.at(-1)
  if (!last) {
    if (!map.flow) return undefined
    return { title, edits: [{ from: map.from + 1, to: map.from + 1, insert: ` ${entry} ` }] }
  }
  const at = last.keyFrom
  if (map.flow) return { title, edits: [{ from: at, to: at, insert: `${entry}, ` }] }
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  // An explicit key (`? a`) has something before it on its line that must not be repeated.
  if (!/^[ -]*$/.test(line)) return undefined
  return { title, edits: [{ from: at, to: at, insert: `${entry}\n${' '.repeat(line.length)}` }] }
}
