/** The table of a fleet: one box a row, as spreadsheets write it. */
import { oddCharacter } from '../../src/contract/index.ts'
import { rowsOf } from '../../src/site/csv.ts'

/** One box: its cells by column, and the line of the file it stands in. */
export interface Row {
  line: number
  cells: ReadonlyMap<string, string>
}

export interface Table {
  columns: readonly string[]
  rows: readonly Row[]
}

/** Something wrong with a file, and where. */
export interface Wrong {
  line: number
  message: string
}

const MOST_BYTES = 4_000_000
const MOST_ROWS = 2000
const MOST_COLUMNS = 100
const LONGEST = 4000
/** `box`, `address`, `secret:nvr`. */
const COLUMN = /^(?:[a-z][a-z0-9_]{0,63}|secret:[A-Za-z0-9_][A-Za-z0-9._-]{0,63})$/
/** What a spreadsheet writes where a formula came to nothing. */
const BROKEN_FORMULA = /^#(?:REF!|NAME\?|VALUE!|N\/A|DIV\/0!|NUM!|NULL!|BEZUG!|WERT!|NV|ZAHL!)/
/** What a spreadsheet takes for a formula: an apostrophe before it says that it is text. */
const FORMULA = /^[=@＝＠]/

/** Reads it; what is wrong goes into `wrong`, everything at once. */
export function readTable(bytes: Uint8Array, wrong: Wrong[]): Table {
  const nothing: Table = { columns: [], rows: [] }
  const text = decoded(bytes, wrong)
  if (text === null) return nothing
  let lines: ReturnType<typeof rowsOf>
  try {
    lines = rowsOf(text, separatorOf(text))
  } catch (error) {
    const [, line = '1', message = String(error)] =
      /^Line (\d+): (.*)$/s.exec(error instanceof Error ? error.message : '') ?? []
    wrong.push({ line: Number(line), message })
    return nothing
  }
  const [head, ...body] = lines.filter(({ cells }) => cells.some(cell => cell.trim() !== ''))
  if (!head) {
    wrong.push({ line: 1, message: 'there is nothing in it: its first line names the columns' })
    return nothing
  }
  const columns = head.cells.map(cell => cell.trim())
  while (columns.at(-1) === '') columns.pop()
  checkColumns(columns, head.line, wrong)
  if (body.length > MOST_ROWS)
    wrong.push({ line: head.line, message: `there are more than ${MOST_ROWS} boxes: divide it` })
  const rows = body.slice(0, MOST_ROWS).map(({ line, cells }) => rowOf(line, cells, columns, wrong))
  return { columns, rows }
}

function decoded(bytes: Uint8Array, wrong: Wrong[]): string | null {
  const say = (message: string) => {
    wrong.push({ line: 1, message })
    return null
  }
  if (bytes.length > MOST_BYTES) return say('it is longer than 4 MB: divide it')
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return say('it is UTF-16: save it as "CSV UTF-8"')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).normalize('NFC')
  } catch {
    return say('it is not UTF-8: save it as "CSV UTF-8"')
  }
}

/** Whichever stands most often in the first line, outside of quotes. */
function separatorOf(text: string): string {
  const head = (text.split(/\r?\n|\r/, 1)[0] ?? '').replaceAll(/"[^"]*"/g, '')
  const count = (sign: string) => head.split(sign).length
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}

function checkColumns(columns: readonly string[], line: number, wrong: Wrong[]): void {
  if (columns.length > MOST_COLUMNS)
    wrong.push({ line, message: `there are more than ${MOST_COLUMNS} columns` })
  for (const [at, column] of columns.entries()) {
    const name = shown(column)
    if (!COLUMN.test(column))
      wrong.push({
        line,
        message: `column ${at + 1}, "${name}": its name is small letters, digits and "_", or secret:NAME`,
      })
    else if (columns.indexOf(column) < at)
      wrong.push({ line, message: `column "${name}" is there twice: name each once` })
  }
  if (!columns.includes('box'))
    wrong.push({ line, message: 'there is no column "box": it names the box, and its folder' })
}

function rowOf(line: number, given: readonly string[], columns: readonly string[], wrong: Wrong[]): Row {
  const cells = new Map<string, string>()
  const say = (message: string) => wrong.push({ line, message })
  const beyond = given.slice(columns.length).findIndex(cell => cell.trim() !== '')
  if (beyond >= 0) say(`there is a cell more than there are columns: put a text with a separator into quotes`)
  for (const [at, column] of columns.entries()) {
    const raw = (given[at] ?? '').trim()
    const isText = raw.startsWith("'") && /^'+[=+\-@＝＋－＠]/.test(raw)
    const value = isText ? raw.slice(1) : raw
    // A password may stand in it: what is wrong is said without it.
    if (value.length > LONGEST) say(`${column} is longer than ${LONGEST} characters`)
    else if (oddCharacter(value) >= 0 || /[\r\n\t]/.test(value))
      say(
        `${column} holds a line break, a control character or a mark that turns its direction: type it anew`,
      )
    else if (!isText && FORMULA.test(value))
      say(
        `${column} is a formula: save the sheet with its values, or put an apostrophe before a text like that`,
      )
    else if (BROKEN_FORMULA.test(value)) say(`${column} is a formula that came to nothing: mend the sheet`)
    cells.set(column, value)
  }
  return { line, cells }
}

/** A text from outside, fit to be shown in a line. */
export function shown(text: string): string {
  return [...text.slice(0, 60)].map(sign => (oddCharacter(sign) >= 0 ? '?' : sign)).join('')
}
