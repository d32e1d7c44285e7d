/** A site file with `<column>` in its texts, filled for one box. */
import { type Document, isScalar, LineCounter, parseDocument, type Scalar, visit } from 'yaml'
import type { Row, Wrong } from './table.ts'

const PLACEHOLDER = /<([a-z][a-z0-9_]{0,63})>/g
const WHOLE = /^<([a-z][a-z0-9_]{0,63})>$/

/** The site file of a box. A cell is a text whatever stands in it: nothing in it is read as YAML. */
export function fill(template: string, row: Row, wrong: Wrong[]): string {
  const lines = new LineCounter()
  const document: Document = parseDocument(template, { lineCounter: lines })
  if (document.errors.length) {
    for (const error of document.errors.slice(0, 5)) {
      const { line } = lines.linePos(error.pos[0])
      wrong.push({
        line: row.line,
        message: `the template's line ${line} is not YAML: ${error.message.split('\n')[0]}`,
      })
    }
    return ''
  }
  const missing = new Set<string>()
  const cell = (column: string): string => {
    const value = row.cells.get(column)
    if (!value) missing.add(column)
    return value ?? ''
  }
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string') fillScalar(node as Scalar<string>, cell)
    },
  })
  for (const column of missing)
    wrong.push({
      line: row.line,
      message: `the template asks for <${column}>, and ${row.cells.has(column) ? 'its cell is empty' : 'there is no such column'}`,
    })
  return document.toString({ lineWidth: 0 })
}

function fillScalar(node: Scalar<string>, cell: (column: string) => string): void {
  const before = node.value
  const isWhole = WHOLE.test(before) && node.type === 'PLAIN'
  // In one pass: what a cell brings is not looked at again.
  const after = before.replaceAll(PLACEHOLDER, (_, column: string) => cell(column))
  if (after === before) return
  node.value = after
  delete node.source
  if (isWhole && /^(?:0|[1-9]\d{0,8})$/.test(after)) (node as Scalar).value = Number(after)
  else if (node.type === 'PLAIN') node.type = 'QUOTE_DOUBLE'
}

/** The names of the secrets that a site file asks for. */
export function secretsIn(yaml: string): Set<string> {
  const names = new Set<string>()
  visit(parseDocument(yaml), {
    Pair(_, { key, value }) {
      if (isScalar(key) && key.value === 'secret' && isScalar(value)) names.add(String(value.value))
    },
    Scalar(_, { tag, value }) {
      if (tag === '!secret') names.add(String(value))
    },
  })
  return names
}
