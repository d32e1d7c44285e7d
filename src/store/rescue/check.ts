import { statSync } from 'node:fs'
import { GatehouseError, messageOf } from '../../core/index.ts'
import type { Connection } from '../connection.ts'
import { sqliteCode } from '../errors.ts'

/** Up to this size the whole file is looked at in well under a second. */
const SMALL_BYTES = 64 * 1024 * 1024
/** What is read and judged of a file in a millisecond, on a slow disk. */
const BYTES_PER_MS = 40 * 1024
/** Where nearly all bytes lie: looked at last, and only where there is time for it. */
const LARGE = ['workflow_run_steps', 'workflow_tool_calls', 'workflow_runs', 'events', 'notices', 'audit']

/**
 * Looks whether the open file holds together, within about `budgetMs`: a large one is judged by its small tables first,
 * which are those that nothing works without. Throws `store_corrupt`.
 */
export function demandWhole(connection: Connection, file: string, budgetMs: number): void {
  const bytes = statSync(file).size
  if (bytes <= SMALL_BYTES || budgetMs === Number.POSITIVE_INFINITY) {
    judge(connection, file, '1')
    return
  }
  const until = performance.now() + budgetMs
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
  const tables = (connection.db.query(sql).values() as [string][]).map(([name]) => name)
  for (const table of tables.filter(name => !LARGE.includes(name))) {
    if (performance.now() > until) return
    judge(connection, file, `"${table}"`)
  }
  if (performance.now() + bytes / BYTES_PER_MS < until) judge(connection, file, '1')
}

function judge(connection: Connection, file: string, what: string): void {
  let said: string
  try {
    const [first] = connection.db.query(`PRAGMA quick_check(${what})`).values() as [string][]
    said = String(first?.[0] ?? 'nothing')
  } catch (error) {
    if (!isDamage(error)) throw error
    said = messageOf(error)
  }
  if (said === 'ok') return
  const why = said.split('\n').at(-1)
  throw new GatehouseError('store_corrupt', `${file} is damaged (${why}).`, { status: 500 })
}

/** The file is not what was written, as opposed to a disk that is full or not there. */
export function isDamage(error: unknown): boolean {
  if (error instanceof GatehouseError) return error.code === 'store_corrupt'
  return /^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode(error))
}
