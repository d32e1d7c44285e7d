/** How a new value is written: on one line, or on lines of its own. */
import { Block, inline, linesOf, type Printable } from '../print-yaml.ts'
import type { Src } from '../source.ts'
import type { Json } from '../types.ts'
import { isMap } from './meant.ts'

/** Something that is put into a text. */
export interface Piece {
  /** As an item of a list in block style, from its dash on; null: that does not go. */
  item(indent: number): string[] | null
  /** On one line; null: that does not go. */
  inline(): string | null
  /** It reads better on lines of its own. */
  long: boolean
}

const MOST_INLINE = 72

export function pieceOf(value: Json): Piece {
  const line = inline(value)
  return {
    item: indent => linesOf([styled(value)], ' '.repeat(indent)),
    inline: () => line,
    long: isFlowing(value) || line.length > MOST_INLINE,
  }
}

/** The lines of a value below its key. */
export const below = (value: Json, indent: number): string[] => linesOf(styled(value), ' '.repeat(indent))

/** A step with paths, and all around it, goes over lines, as in a file that is printed. */
function styled(value: Json): Printable {
  if (value === null || typeof value !== 'object') return value
  const inner = Array.isArray(value)
    ? value.map(styled)
    : Object.fromEntries(Object.entries(value).map(([key, each]) => [key, styled(each)]))
  return isFlowing(value) ? new Block(inner) : inner
}

/** A list of maps, or what holds one; an empty list under a key will hold steps. */
function isFlowing(value: Json): boolean {
  if (value === null || typeof value !== 'object') return false
  if (Array.isArray(value)) return value.some(one => isMap(one) || isFlowing(one))
  return Object.values(value).some(one => isFlowing(one) || (Array.isArray(one) && one.length === 0))
}

/** How a single value may be written, the likeliest first; as it was written before where that goes. */
export function spellings(old: Src | null, value: Json, text: string): string[] {
  if (typeof value !== 'string') return [inline(value)]
  const quoted = JSON.stringify(value)
  const was = old?.type === 'scalar' ? text.slice(old.from, old.to) : ''
  if (was.startsWith('|')) return [literal(was, value), quoted]
  if (was.startsWith('"')) return [quoted]
  if (was.startsWith("'")) return [`'${value.replaceAll("'", "''")}'`, quoted]
  return PLAIN.test(value) ? [value, quoted] : [quoted]
}

/** Without quotes only what nobody, and no other program, reads as anything but a text. */
const PLAIN =
  /^(?!(?:true|false|yes|no|on|off|null|y|n)$)(?:(?:role|person):)?[a-z](?:[\w .!?/-]*[\w.!?])?$|^\d+(?:ms|[smhd])$/i

function literal(was: string, value: string): string {
  const indent = /\n( +)/.exec(was)?.[1] ?? '  '
  const lines = value.replace(/\n$/, '').split('\n')
  const head = value.endsWith('\n') ? '|' : '|-'
  return [head, ...lines.map(line => (line === '' ? '' : indent + line))].join('\n')
}
