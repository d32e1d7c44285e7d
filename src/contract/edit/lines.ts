/** Lines of a text, and where the nodes of its tree begin and end on them. */
import type { Entry, Src, SrcList } from '../source.ts'

export const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1

/** Before the line break, of one character or two. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  if (end < 0) return text.length
  return text[end - 1] === '\r' && end > at ? end - 1 : end
}

/** Behind the line break. */
export function nextLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end + 1
}

export const lineBreak = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n')

export const column = (text: string, at: number): number => at - lineStart(text, at)

/** Where a node ends, without the comments that may stand behind it. */
export function endOf(src: Src): number {
  if (src.type === 'map' && !src.flow) {
    const last = src.entries.at(-1)
    return last ? Math.max(endOf(last.value), last.keyTo + 1) : src.to
  }
  if (src.type !== 'list' || src.flow) return src.to
  const last = src.items.at(-1)
  return last ? endOf(last) : src.to
}

/** Behind the colon of an entry. */
export const colonOf = ({ keyTo }: Entry, text: string): number => text.indexOf(':', keyTo) + 1

/** The dash of an item of a list in block style; null: it has none of its own line. */
export function dashOf(list: SrcList, index: number, text: string): number | null {
  const item = list.items[index]
  if (!item || list.flow) return null
  const at = column(text, list.from)
  for (let start = lineStart(text, item.from); start >= 0; start = lineStart(text, start - 1)) {
    const dash = start + at
    const alone = text.slice(start, dash).trim() === ''
    if (text[dash] === '-' && (dash === list.from || alone)) return alone ? dash : null
    if (start === 0 || dash < list.from) return null
  }
  return null
}

export interface Region {
  from: number
  to: number
}

/** All lines of an item, with the comment that stands right above it. */
export function itemLines(list: SrcList, index: number, text: string): Region | null {
  const dash = dashOf(list, index, text)
  const item = list.items[index]
  if (dash === null || !item) return null
  const indent = column(text, dash)
  let from = lineStart(text, dash)
  while (from > 0) {
    const above = lineStart(text, from - 1)
    const line = text.slice(above, from)
    if (!/^ *#/.test(line) || line.search('#') !== indent) break
    from = above
  }
  return { from, to: nextLine(text, Math.max(endOf(item), dash + 1)) }
}
