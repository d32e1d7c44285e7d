/** Lists as CSV (RFC 4180): one entry per line, its note behind it. */
import { oddCharacter } from '../contract/index.ts'
import { GatehouseError } from '../core/index.ts'
import type { ListEntry } from './types.ts'

/** More entries than this are a database, not a list. */
export const MOST_ENTRIES = 10_000
const LONGEST = 500
const BOM = '\ufeff'
/** What a spreadsheet takes for the beginning of a formula, with apostrophes that were put before it. */
const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n]/

/** Refused with the line in which the text breaks off being a list. */
function broken(line: number, message: string): GatehouseError {
  return new GatehouseError('csv_invalid', `Line ${line}: ${message}`, { status: 422 })
}

/**
 * Reads a list. A first line `value` or `value,note` is a header; with `;` in the header, `;` separates. Empty lines
 * count for nothing, an entry that is there twice counts once. Throws `csv_invalid` with the line.
 */
export function parseCsv(text: string): { entries: ListEntry[]; duplicates: number } {
  const body = text.startsWith(BOM) ? text.slice(1) : text
  const header = /^"?value"?[ ]*(?:([,;])[^\r\n]*)?(?:\r?\n|$)/i.exec(body)
  const rows = rowsOf(body, header?.[1] === ';' ? ';' : ',')
  const entries = new Map<string, ListEntry>()
  let duplicates = 0
  for (const { line, cells } of header ? rows.slice(1) : rows) {
    const [value = '', note = ''] = cells.map(cell => unguarded(cell).trim().normalize('NFC'))
    if (cells.length > 2) throw broken(line, `there are ${cells.length} columns: keep the entry and a note.`)
    if (value === '' && note === '') continue
    if (value === '') throw broken(line, 'there is a note without an entry: write the entry before it.')
    if (value.length > LONGEST || note.length > LONGEST)
      throw broken(line, `a text is longer than ${LONGEST} characters: shorten it.`)
    if (oddCharacter(value) >= 0 || oddCharacter(note) >= 0)
      throw broken(line, 'a text holds a control character or a mark that turns its direction: type it anew.')
    if (entries.has(value)) duplicates++
    else if (entries.size >= MOST_ENTRIES)
      throw broken(line, `a list has at most ${MOST_ENTRIES} entries: divide it.`)
    else entries.set(value, note ? { value, note } : { value })
  }
  return { entries: [...entries.values()], duplicates }
}

/** A list as a file for spreadsheets: no entry in it is taken for a formula, and reading it back gives the same. */
export function printCsv(entries: readonly ListEntry[]): string {
  const noted = entries.some(({ note }) => note)
  const rows = entries.map(({ value, note = '' }) => (noted ? [value, note] : [value]))
  const lines = [noted ? ['value', 'note'] : ['value'], ...rows.map(row => row.map(guarded))]
  return `${BOM}${lines.map(line => line.map(cell).join(',')).join('\r\n')}\r\n`
}

const guarded = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)
const unguarded = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text
const cell = (text: string): string =>
  /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** The rows of any CSV, each with the line it begins in. Throws `csv_invalid` with the line. */
export function rowsOf(text: string, separator: string): { line: number; cells: string[] }[] {
  const rows: { line: number; cells: string[] }[] = []
  let [at, line] = [0, 1]
  while (at < text.length) {
    const row = { line, cells: [] as string[] }
    rows.push(row)
    for (;;) {
      const quoted = text[at] === '"'
      const end = quoted ? endOfQuoted(text, at, line) : plainEnd(text, at, separator)
      const content = quoted ? text.slice(at + 1, end - 1).replaceAll('""', '"') : text.slice(at, end)
      if (!quoted && content.includes('"'))
        throw broken(line, 'a quote stands inside an entry: put the whole entry in quotes and double it.')
      row.cells.push(content)
      line += content.split('\n').length - 1
      at = end
      if (text[at] !== separator) break
      at++
    }
    if (text.startsWith('\r\n', at)) at += 2
    else if (text[at] === '\n' || text[at] === '\r') at++
    else if (at < text.length) throw broken(line, 'something stands behind a closing quote: remove it.')
    line++
  }
  return rows
}

function plainEnd(text: string, from: number, separator: string): number {
  let end = from
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++
  return end
}

/** Behind the closing quote. */
function endOfQuoted(text: string, from: number, line: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return at + 1
  throw broken(line, 'a quote is opened and never closed.')
}
