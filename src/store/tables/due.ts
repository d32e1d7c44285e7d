import type { JsonValue } from '../../core/index.ts'
import type { Connection } from '../connection.ts'
import { toText, toValue } from '../json.ts'
import type { DueRow } from '../rows.ts'
import { stepsOf } from './step-ids.ts'

const COLUMNS = 'id, at, kind, run_id AS runId, step_id AS stepId, payload'

type Raw = Omit<DueRow, 'payload'> & { payload: string | null }

/** Waits and schedules: what has to happen at a time, over restarts. What belongs to a run names its step. */
export class Due {
  readonly #connection: Connection
  /**
   * The id that was given last. SQLite gives that of a removed row again: whoever still had it in hand would remove
   * what another one promised. Across a restart nobody has any in hand.
   */
  #lastId: number | null = null

  constructor(connection: Connection) {
    this.#connection = connection
  }

  add(row: Omit<DueRow, 'id'>): number {
    this.#lastId ??= this.#connection.get<{ id: number | null }>('SELECT max(id) AS id FROM due')?.id ?? 0
    const id = ++this.#lastId
    this.#connection.change(
      'INSERT INTO due (id, at, kind, run_id, step_id, payload) VALUES (?, ?, ?, ?, ?, ?)',
      [id, row.at, row.kind, row.runId, row.stepId, toText(row.payload)],
    )
    return id
  }

  /** False if it was gone: whoever removes a row is the one to do what it promised. */
  remove(id: number): boolean {
    return this.#connection.change('DELETE FROM due WHERE id = ?', [id]).changes > 0
  }

  /** Another time for a row; false if it is gone. */
  move(id: number, at: number, payload: JsonValue): boolean {
    const sql = 'UPDATE due SET at = ?, payload = ? WHERE id = ?'
    return this.#connection.change(sql, [at, toText(payload), id]).changes > 0
  }

  /** Everything that a run waits for, when it ends or is stopped. Returns how many there were. */
  removeOfRun(runId: number): number {
    const sql = 'DELETE FROM due WHERE step_id BETWEEN ? AND ? AND run_id = ?'
    return this.#connection.change(sql, [...stepsOf(runId), runId]).changes
  }

  /** What is due at `at` (epoch ms), earliest first, at most `limit`, those behind `after` only. */
  next(at: number, limit = 100, after: Pick<DueRow, 'at' | 'id'> | null = null): DueRow[] {
    const sql = `SELECT ${COLUMNS} FROM due WHERE at <= ? AND (at, id) > (?, ?) ORDER BY at, id LIMIT ?`
    const { at: from, id } = after ?? { at: Number.MIN_SAFE_INTEGER, id: 0 }
    return this.#connection.all<Raw>(sql, [at, from, id, limit]).map(toRow)
  }

  /** When the earliest falls due, or null. */
  earliest(): number | null {
    return this.#connection.get<{ at: number | null }>('SELECT min(at) AS at FROM due')?.at ?? null
  }

  get(id: number): DueRow | null {
    const raw = this.#connection.get<Raw>(`SELECT ${COLUMNS} FROM due WHERE id = ?`, [id])
    return raw && toRow(raw)
  }

  /** What a run waits for. */
  ofRun(runId: number): DueRow[] {
    const sql = `SELECT ${COLUMNS} FROM due WHERE step_id BETWEEN ? AND ? AND run_id = ? ORDER BY at, id`
    return this.#connection.all<Raw>(sql, [...stepsOf(runId), runId]).map(toRow)
  }

  /** Of any kind, however many others there are: for what is looked for seldom. */
  ofKind(kind: string): DueRow[] {
    return this.#connection
      .all<Raw>(`SELECT ${COLUMNS} FROM due WHERE kind = ? ORDER BY at, id`, [kind])
      .map(toRow)
  }

  /** How many of a kind there are. */
  countOf(kind: string): number {
    const sql = 'SELECT count(*) AS n FROM due WHERE kind = ?'
    return this.#connection.get<{ n: number }>(sql, [kind])?.n ?? 0
  }

  /** Of a kind that belongs to no step: schedules. */
  ofBox(kind: string): DueRow[] {
    const sql = `SELECT ${COLUMNS} FROM due WHERE kind = ? AND step_id IS NULL ORDER BY at, id`
    return this.#connection.all<Raw>(sql, [kind]).map(toRow)
  }

  countByKind(): Record<string, number> {
    const rows = this.#connection.all<{ kind: string; n: number }>(
      'SELECT kind, count(*) AS n FROM due GROUP BY kind ORDER BY kind',
    )
    return Object.fromEntries(rows.map(({ kind, n }) => [kind, n]))
  }

  all(): DueRow[] {
    return this.#connection.all<Raw>(`SELECT ${COLUMNS} FROM due ORDER BY at, id`).map(toRow)
  }
}

function toRow(raw: Raw): DueRow {
  return { ...raw, payload: toValue(raw.payload, {}) }
}
