/** Writes plain values as YAML that every reader of YAML 1.2 reads back as the same values. Byte for byte stable. */

/** Marks what is written in block style, whatever its length. */
export class Block {
  constructor(readonly value: Printable) {}
}

export type Printable =
  | null
  | boolean
  | number
  | string
  | Block
  | readonly Printable[]
  | { readonly [key: string]: Printable }

const WIDTH = 110
const INDENT = '  '

// Words and the punctuation inside them: nothing of it has a meaning in YAML, in block and flow style alike.
const PLAIN = /^[\p{L}_](?:[\p{L}\p{N}_./-]|:(?=[\p{L}\p{N}_])| (?=[\p{L}\p{N}_]))*$/u
const DURATIONS = /^[0-9]{1,9}(?:ms|s|m|h|d)$/
const WORDS = /^(?:true|false|null)$/i

const isPlain = (value: string) => (PLAIN.test(value) && !WORDS.test(value)) || DURATIONS.test(value)

const text = (value: string): string => (isPlain(value) ? value : JSON.stringify(value))

function scalar(value: null | boolean | number | string): string {
  return typeof value === 'string' ? text(value) : String(value)
}

/** One line, as in `{ a: [b, c] }`; null where a part wants more than one. */
function flow(value: Printable): string | null {
  if (value instanceof Block) return null
  if (typeof value === 'string' && literal(value)) return null
  if (value === null || typeof value !== 'object') return scalar(value)
  if (isList(value)) {
    const items = value.map(flow)
    return items.includes(null) ? null : `[${items.join(', ')}]`
  }
  const entries = Object.entries(value).map(([key, inner]) => [text(key), flow(inner)] as const)
  if (entries.some(([, inner]) => inner === null)) return null
  return entries.length === 0 ? '{}' : `{ ${entries.map(([key, inner]) => `${key}: ${inner}`).join(', ')} }`
}

const isList = (value: Printable): value is readonly Printable[] => Array.isArray(value)

/** The lines of a text that reads best as a literal block; null where quotes are needed. */
function literal(value: string): string[] | null {
  if (!value.includes('\n') || /[\r\t]|^[ \n]| \n|[ \n]$/.test(value.replace(/\n$/, ''))) return null
  return value.replace(/\n$/, '').split('\n')
}

/** A value on one line, however long: texts of several lines go into quotes. */
export function inline(value: Printable): string {
  if (value instanceof Block) return inline(value.value)
  if (value === null || typeof value !== 'object') return scalar(value)
  if (isList(value)) return `[${value.map(inline).join(', ')}]`
  const entries = Object.entries(value).map(([key, inner]) => `${text(key)}: ${inline(inner)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}

/** A map or list in block style, each line set in. */
export const linesOf = (value: Printable, indent: string): string[] => block(value, indent)

/** A key, or a text that stands for itself. */
export const keyText = (key: string): string => text(key)

/** A map as a document. */
export function printYaml(value: { readonly [key: string]: Printable }): string {
  return `${block(value, '').join('\n')}\n`
}

/** The lines of a map or list in block style. */
function block(value: Printable, indent: string): string[] {
  const inner = value instanceof Block ? value.value : value
  if (isList(inner)) {
    return inner.flatMap(item => {
      // A map of one key needs no braces behind its dash.
      const [first = '', ...rest] = after('', isSingle(item) ? new Block(item) : item, indent + INDENT)
      return [`${indent}- ${first.trimStart()}`, ...rest]
    })
  }
  const entries = inner === null || typeof inner !== 'object' ? [] : Object.entries(inner)
  return entries.flatMap(([key, item]) => after(`${indent}${text(key)}:`, item, indent))
}

/** A value behind its key (or, without one, behind a dash), at the indentation of the map that holds it. */
function after(key: string, value: Printable, indent: string): string[] {
  const line = flow(value)
  const behind = key === '' ? indent : `${key} `
  if (line !== null && (behind.length + line.length <= WIDTH || isWhole(value))) return [`${behind}${line}`]
  if (typeof value === 'string') {
    const lines = literal(value) ?? []
    return [
      `${behind}${value.endsWith('\n') ? '|' : '|-'}`,
      ...lines.map(each => (each === '' ? '' : `${indent}${INDENT}${each}`)),
    ]
  }
  return key === '' ? block(value, indent) : [key, ...block(value, indent + INDENT)]
}

const isSingle = (value: Printable) =>
  !isScalar(value) && !(value instanceof Block) && !isList(value) && Object.keys(value).length === 1

/** Nothing of it could go on a line of its own: it stands behind its key, however long that is. */
const isWhole = (value: Printable) =>
  isScalar(value) || (!(value instanceof Block) && Object.keys(value).length === 0)

const isScalar = (value: Printable): value is null | boolean | number | string =>
  value === null || typeof value !== 'object'
