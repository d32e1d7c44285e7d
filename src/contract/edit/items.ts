/** Items of a list: a new one, one less, one elsewhere; each as texts of which one says what is meant. */
import type { Src, SrcList } from '../source.ts'
import { entryAt, spliced, withValue } from './entries.ts'
import { colonOf, column, dashOf, endOf, itemLines, lineBreak, lineEnd } from './lines.ts'
import { isInFlow, type Place, srcAt } from './place.ts'
import type { Piece } from './written.ts'

const LONGEST_LINE = 160

export function withItem(root: Src, list: Place, index: number, piece: Piece, text: string): string[] {
  const src = srcAt(root, list)
  const owner = entryAt(root, list)
  const none = src && (src.type !== 'list' || src.items.length === 0)
  if (!src || (none && src.type !== 'list' && src.from < src.to)) return []
  const line = piece.inline()
  const held = isInFlow(root, list.slice(0, -1))
  if (src.type !== 'list' || none) {
    const between = text.slice(src.from + 1, src.to - 1).trim()
    if (owner && !held && between === '') {
      const lines = piece.item(column(text, owner.keyFrom) + 2)
      return lines ? withValue(owner, [lines], text) : []
    }
    return line === null ? [] : [spliced(text, src.from, src.to, `[${line}]`)]
  }
  if (!src.flow) return inBlock(src, index, piece, text)
  const flowing = line === null ? [] : [inFlow(src, index, line, text)]
  const wide = (flowing[0] ?? '').length - text.length + lineEnd(text, src.from) - src.from
  const room = !piece.long && wide < LONGEST_LINE
  if (room || held || !owner) return flowing
  const opened = unfolded(src, column(text, owner.keyFrom) + 2, text)
  const own = piece.item(column(text, owner.keyFrom) + 2)
  if (!opened || !own) return flowing
  return [...withValue(owner, [opened.toSpliced(index, 0, own).flat()], text), ...flowing]
}

function inFlow({ items }: SrcList, index: number, line: string, text: string): string {
  const [before, after] = [items[index - 1], items[index]]
  if (before) return spliced(text, endOf(before), endOf(before), `, ${line}`)
  return after ? spliced(text, after.from, after.from, `${line}, `) : text
}

function inBlock(list: SrcList, index: number, piece: Piece, text: string): string[] {
  const br = lineBreak(text)
  const lines = piece.item(column(text, list.from))?.join(br)
  if (lines === undefined) return []
  const before = list.items[index - 1]
  if (before) {
    const at = lineEnd(text, endOf(before))
    return [spliced(text, at, at, br + lines)]
  }
  const region = itemLines(list, 0, text)
  if (region) return [spliced(text, region.from, region.from, lines + br)]
  const pad = ' '.repeat(column(text, list.from))
  return [spliced(text, list.from, list.from, `${lines.trimStart()}${br}${pad}`)]
}

/** A list on one line as the lines of its items; null: it goes over several, or holds comments. */
export function unfolded(list: SrcList, indent: number, text: string): string[][] | null {
  if (/[\n#]/.test(text.slice(list.from, list.to))) return null
  return list.items.map(item => [`${' '.repeat(indent)}- ${text.slice(item.from, item.to)}`])
}

export function withoutItem(root: Src, list: Place, index: number, text: string): string[] {
  const src = srcAt(root, list)
  const item = src?.type === 'list' ? src.items[index] : undefined
  if (src?.type !== 'list' || !item) return []
  const [before, after] = [src.items[index - 1], src.items[index + 1]]
  if (src.flow) {
    if (!before && !after) return [spliced(text, src.from, src.to, '[]')]
    if (before) return [spliced(text, endOf(before), endOf(item), '')]
    return after ? [spliced(text, item.from, after.from, '')] : []
  }
  const region = itemLines(src, index, text)
  if (region) {
    const open = region.to === text.length && text[region.to - 1] !== '\n' && region.from > 0
    const cut = spliced(text, open ? region.from - 1 : region.from, region.to, '')
    if (before || after) return [cut]
    const owner = entryAt(root, list)
    const colon = owner && colonOf(owner, text)
    return colon ? [spliced(cut, colon, colon, ' []')] : []
  }
  const next = after && dashOf(src, index + 1, text)
  return next ? [spliced(text, src.from, next, '')] : []
}

/** An item as it is written, comments and all, to be put elsewhere. */
export function pieceAt(root: Src, list: Place, index: number, text: string): Piece | null {
  const src = srcAt(root, list)
  const item = src?.type === 'list' ? src.items[index] : undefined
  if (src?.type !== 'list' || !item) return null
  const raw = text.slice(item.from, endOf(item))
  const flow = item.type === 'scalar' || ('flow' in item && item.flow)
  const region = itemLines(src, index, text)
  const lines = region
    ? text
        .slice(region.from, region.to)
        .replace(/\r?\n$/, '')
        .split(/\r?\n/)
    : null
  const hasComment = lines?.some(line => /(^|\s)#/.test(line)) ?? false
  return {
    item: indent => {
      if (lines) return shifted(lines, indent - column(text, src.from))
      return /\n/.test(raw) ? null : [`${' '.repeat(indent)}- ${raw}`]
    },
    // Elsewhere it must not lose a comment, nor be written anew.
    inline: () => (hasComment || /\n/.test(raw) || (!flow && !src.flow) ? null : raw),
    long: !src.flow,
  }
}

/** Lines further in or out. */
const shifted = (lines: readonly string[], by: number): string[] =>
  lines.map(line => {
    if (line.trim() === '') return line
    return by >= 0 ? ' '.repeat(by) + line : line.slice(Math.min(-by, line.search(/\S/)))
  })
