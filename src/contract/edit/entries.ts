/** Entries of a map: a new one, one less, another key; each as texts of which one says what is meant. */
import { inline, keyText } from '../print-yaml.ts'
import { type Entry, entryOf, type Src, type SrcMap } from '../source.ts'
import type { Json } from '../types.ts'
import { colonOf, column, endOf, lineBreak, lineEnd, lineStart, nextLine } from './lines.ts'
import { isInFlow, type Place, srcAt } from './place.ts'
import { below, pieceOf, spellings } from './written.ts'

export const spliced = (text: string, from: number, to: number, insert: string): string =>
  text.slice(0, from) + insert + text.slice(to)

/** `order`: keys as they should follow each other; those that it does not name stay where they are. */
export function withEntry(
  root: Src,
  map: Place,
  key: string,
  value: Json,
  text: string,
  order: readonly string[] = [],
): string[] {
  const src = srcAt(root, map)
  if (!src) return []
  const flow = isInFlow(root, map)
  if (src.type !== 'map' || src.entries.length === 0) return first(root, map, src, key, value, text)
  const behind = neighbour(src, key, order)
  const brief = spellings(null, value, text).map(spelled => `${keyText(key)}: ${spelled}`)
  if (flow) {
    const last = behind ?? src.entries.at(-1)
    // One key in a list needs no braces; two do.
    const [open, close] = text[src.from] === '{' ? ['', ''] : ['{ ', ' }']
    const end = endOf(src)
    return brief.map(line => {
      const at = last ? Math.max(endOf(last.value), colonOf(last, text)) : end
      return spliced(
        text,
        src.from,
        end,
        `${open}${text.slice(src.from, at)}, ${line}${text.slice(at, end)}${close}`,
      )
    })
  }
  const [head] = src.entries
  if (!head) return []
  const indent = column(text, head.keyFrom)
  const lines = written(key, value, text, indent)
  const br = lineBreak(text)
  const texts: string[] = []
  for (const each of lines) {
    const block = each.join(br)
    if (behind) {
      const at = lineEnd(text, Math.max(endOf(behind.value), colonOf(behind, text)))
      texts.push(spliced(text, at, at, `${br}${block}`))
    }
    // Right before the first key, whose dash, if there is one, becomes the new one's.
    texts.push(spliced(text, head.keyFrom, head.keyFrom, `${block.trimStart()}${br}${' '.repeat(indent)}`))
  }
  return texts
}

/** The entry behind which a new one stands; undefined: before all. */
function neighbour({ entries }: SrcMap, key: string, order: readonly string[]): Entry | undefined {
  const at = order.indexOf(key)
  if (at < 0) return entries.at(-1)
  const before = order.slice(0, at)
  const found = entries.findLast(entry => before.includes(entry.key))
  return found ?? (entries.some(entry => order.includes(entry.key)) ? undefined : entries.at(-1))
}

/** The lines of an entry, in the ways in which it may be written. */
export function written(key: string, value: Json, text: string, indent: number): string[][] {
  const pad = ' '.repeat(indent)
  const brief = spellings(null, value, text).map(spelled => [`${pad}${keyText(key)}: ${spelled}`])
  const isWhole = value === null || typeof value !== 'object' || Object.keys(value).length === 0
  if (isWhole) return brief
  const long = [`${pad}${keyText(key)}:`, ...below(value, indent + 2)]
  return pieceOf(value).long ? [long] : [...brief, long]
}

/** Into a map that is empty, or a value that is none. */
function first(root: Src, map: Place, src: Src, key: string, value: Json, text: string): string[] {
  const line = inline({ [key]: value })
  const empty = src.type === 'map' || (src.type === 'scalar' && src.value === null)
  if (!empty) return []
  const owner = entryAt(root, map)
  if (src.from < src.to && !pieceOf(value).long) return [spliced(text, src.from, src.to, line)]
  if (!owner || isInFlow(root, map.slice(0, -1)))
    return src.from < src.to ? [spliced(text, src.from, src.to, line)] : []
  return withValue(owner, written(key, value, text, column(text, owner.keyFrom) + 2), text)
}

/** An entry without its value, and lines under it in its place. What stands behind its colon stays. */
export function withValue(owner: Entry, ways: readonly string[][], text: string): string[] {
  const colon = colonOf(owner, text)
  const end = endOf(owner.value)
  const cut = end > colon ? spliced(text, colon, end, '') : text
  const at = lineEnd(cut, colon)
  return ways.map(lines => spliced(cut, at, at, lineBreak(text) + lines.join(lineBreak(text))))
}

/** The entry whose value stands at a place. */
export function entryAt(root: Src, place: Place): Entry | undefined {
  const key = place.at(-1)
  const map = srcAt(root, place.slice(0, -1))
  return map && typeof key === 'string' ? entryOf(map, key) : undefined
}

export function withoutEntry(root: Src, place: Place, text: string): string[] {
  const map = srcAt(root, place.slice(0, -1))
  if (map?.type !== 'map') return []
  const index = map.entries.findIndex(({ key }) => key === place.at(-1))
  const entry = map.entries[index]
  if (!entry) return []
  const [before, after] = [map.entries[index - 1], map.entries[index + 1]]
  const end = Math.max(endOf(entry.value), colonOf(entry, text))
  const upToNext = after ? [spliced(text, entry.keyFrom, after.keyFrom, '')] : []
  if (map.flow)
    return [
      ...upToNext,
      ...(before ? [spliced(text, endOf(before.value), end, '')] : []),
      spliced(text, map.from, map.to, '{}'),
    ]
  const owner = entryAt(root, place.slice(0, -1))
  if (!before && !after) return owner ? alone(owner, entry, end, text) : []
  const start = lineStart(text, entry.keyFrom)
  const isFirst = text.slice(start, entry.keyFrom).trim() !== ''
  const cut = nextLine(text, end)
  const lines = cut === text.length && text[cut - 1] !== '\n' ? [Math.max(start - 1, 0), cut] : [start, cut]
  return [...(isFirst ? [] : [spliced(text, lines[0] ?? start, lines[1] ?? cut, '')]), ...upToNext]
}

/** The last entry goes: what held it holds an empty map. */
function alone(owner: Entry, entry: Entry, end: number, text: string): string[] {
  const cut = spliced(text, lineStart(text, entry.keyFrom), nextLine(text, end), '')
  const colon = colonOf(owner, text)
  return [spliced(cut, colon, colon, ' {}')]
}

export function withKey(root: Src, place: Place, key: string, text: string): string[] {
  const entry = entryAt(root, place)
  return entry ? [spliced(text, entry.keyFrom, entry.keyTo, keyText(key))] : []
}
