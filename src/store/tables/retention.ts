import type { Connection } from '../connection.ts'
import { stepsOf } from './step-ids.ts'

/** Steps that tell nobody and move nothing: a run of nothing else is dull, whatever it recorded. */
export const QUIET = "'ai', 'if', 'for_each', 'wait', 'wait_for', 'log', 'save_clip', 'save_picture'"
/** What an event takes in its table and its index besides its texts, free room in their pages included. */
const EVENT_BYTES = 60
const EVENTS_MEASURED = 100
/** So many that a run at work does not notice. */
const PAGES_RECLAIMED = 64

/** A run that has ended, as far as it matters for how long it is kept. */
export interface KeptRun {
  id: number
  status: string
  startedAt: number
  endedAt: number
  /** It told or moved something for real, or asked a person. */
  acted: boolean
  marked: boolean
}

/** What is old goes from here: runs with everything that hangs on them, events, the box's own notices. */
export class Retention {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Runs after `after` that nothing waits for any more, by id; a page with fewer than `limit` rows may not be the last. */
  runs(after: number, limit: number): { runs: KeptRun[]; last: number | null } {
    const page = this.#connection.all<{
      id: number
      startedAt: number
      endedAt: number | null
      status: string
      state: string
    }>(
      'SELECT id, started_at AS startedAt, ended_at AS endedAt, status, state FROM workflow_runs WHERE id > ? ORDER BY id LIMIT ?',
      [after, limit],
    )
    const spared = this.#spared()
    const runs = page.flatMap(({ id, startedAt, endedAt, status, state }): KeptRun[] => {
      if (endedAt === null || spared.has(id) || this.#isOpen(id)) return []
      const acted = state === 'on' && this.#acted(id)
      const marked = this.#connection.get('SELECT 1 FROM marks WHERE run_id = ? LIMIT 1', [id]) !== null
      return [{ id, startedAt, endedAt, status, acted, marked }]
    })
    return { runs, last: page.at(-1)?.id ?? null }
  }

  /** Deletes runs; answers with their pictures, each once. */
  remove(ids: readonly number[]): { hash: string; bytes: number }[] {
    const found = new Map<string, number>()
    for (const id of ids) {
      const steps = stepsOf(id)
      const sql = 'SELECT hash, bytes FROM media WHERE run_id = ?'
      const pictures = this.#connection.all<{ hash: string; bytes: number }>(sql, [id])
      for (const { hash, bytes } of pictures) found.set(hash, bytes)
      this.#connection.change('DELETE FROM workflow_tool_calls WHERE step_id BETWEEN ? AND ?', steps)
      for (const table of ['marks', 'workflow_approvals', 'notices', 'media', 'intents'] as const)
        this.#connection.change(`DELETE FROM ${table} WHERE run_id = ?`, [id])
      this.#connection.change('DELETE FROM workflow_run_steps WHERE id BETWEEN ? AND ?', steps)
      this.#connection.change('DELETE FROM workflow_runs WHERE id = ?', [id])
    }
    return [...found].map(([hash, bytes]) => ({ hash, bytes }))
  }

  /**
   * Up to which id the oldest events, `limit` of them at most, arrived before `before` (epoch ms); null: none did.
   * They arrive in the order of their ids; a clock that was set back only makes some stay a little longer.
   */
  oldEvents(before: number, limit: number): number | null {
    const oldest = this.#connection.all<{ id: number; receivedAt: number }>(
      'SELECT id, received_at AS receivedAt FROM events ORDER BY id LIMIT ?',
      [limit],
    )
    const keep = oldest.findIndex(({ receivedAt }) => receivedAt >= before)
    return (keep < 0 ? oldest : oldest.slice(0, keep)).at(-1)?.id ?? null
  }

  forgetEvents(upTo: number): void {
    this.#connection.change('DELETE FROM events WHERE id <= ?', [upTo])
  }

  /** What the box itself said before `before` (epoch ms), but not what was said last of all. */
  oldNotices(before: number): number[] {
    const sql = `SELECT id FROM notices WHERE run_id IS NULL AND created_at < ?
      AND id < (SELECT max(id) FROM notices) ORDER BY id`
    return this.#connection.all<{ id: number }>(sql, [before]).map(({ id }) => id)
  }

  forgetNotices(ids: readonly number[]): void {
    for (const id of ids) this.#connection.change('DELETE FROM notices WHERE id = ?', [id])
  }

  /** Bytes of the database that hold something; freed pages are used again and do not count. */
  databaseBytes(): number {
    const { free, total } = this.space()
    return total - free
  }

  /** Bytes of the database, and those of its pages that hold nothing. */
  space(): { free: number; total: number } {
    const pragma = (name: string) =>
      Number(Object.values(this.#connection.get<object>(`PRAGMA ${name}`) ?? {})[0])
    const size = pragma('page_size')
    return { free: pragma('freelist_count') * size, total: pragma('page_count') * size }
  }

  /**
   * Cuts some pages off the end of the file, what they hold is moved into free ones; answers with the bytes that are
   * still free. The file itself is cut when the log is copied into it.
   */
  reclaim(): number {
    this.#connection.change(`PRAGMA incremental_vacuum(${PAGES_RECLAIMED})`, [])
    return this.space().free
  }

  /**
   * About what events take, index included: they are numbered one after another and go from the front, so the oldest
   * and the newest say how many there are and how long one is.
   */
  eventBytes(): number {
    const [range] = this.#connection.all<{ first: number | null; last: number | null }>(
      'SELECT (SELECT min(id) FROM events) AS first, (SELECT max(id) FROM events) AS last',
    )
    if (!range || range.first === null || range.last === null) return 0
    const length = `${EVENT_BYTES} + 2 * octet_length(event_id) + octet_length(kind)
      + coalesce(octet_length(schema), 0) + coalesce(octet_length(camera_id), 0) + coalesce(octet_length(payload), 0)`
    const [row] = this.#connection.all<{ bytes: number }>(
      `SELECT avg(bytes) AS bytes FROM (SELECT ${length} AS bytes FROM events WHERE id < ? UNION ALL
       SELECT ${length} FROM events WHERE id > ?)`,
      [range.first + EVENTS_MEASURED, range.last - EVENTS_MEASURED],
    )
    return (row?.bytes ?? 0) * (range.last - range.first + 1)
  }

  /** About what stays takes: versions of files and of the site's rules, and the cases of workflows. */
  versionBytes(): number {
    const sql = `SELECT (SELECT coalesce(sum(octet_length(yaml)), 0) FROM workflow_versions) +
      (SELECT coalesce(sum(octet_length(rules)), 0) FROM site_rules_versions) +
      (SELECT coalesce(sum(octet_length(event) + octet_length(judged)), 0) FROM cases) AS bytes`
    return (this.#connection.get<{ bytes: number }>(sql)?.bytes ?? 0) + this.#caseBytes('')
  }

  /** Bytes of the pictures of cases that are no run's any more. */
  caseOnlyBytes(): number {
    return this.#caseBytes('WHERE hash NOT IN (SELECT hash FROM media)')
  }

  #caseBytes(where: string): number {
    const sql = `SELECT coalesce(sum(bytes), 0) AS bytes FROM
      (SELECT max(bytes) AS bytes FROM case_pictures ${where} GROUP BY hash)`
    return this.#connection.get<{ bytes: number }>(sql)?.bytes ?? 0
  }

  /** Bytes of the pictures after `after` by id, each picture where it came first; `last` null: those were all. */
  pictureBytes(after: number, limit: number): { bytes: number; last: number | null } {
    const rows = this.#connection.all<{ id: number; bytes: number }>(
      `SELECT id, CASE WHEN EXISTS (SELECT 1 FROM media b WHERE b.hash = a.hash AND b.id < a.id) THEN 0 ELSE bytes END
       AS bytes FROM media a WHERE id > ? ORDER BY id LIMIT ?`,
      [after, limit],
    )
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
    return { bytes, last: rows.length < limit ? null : (rows.at(-1)?.id ?? null) }
  }

  /** Whether any run or case still has a picture, or something that waits for its turn will. */
  isWanted(hash: string): boolean {
    return (
      this.#connection.get('SELECT 1 FROM case_pictures WHERE hash = ? LIMIT 1', [hash]) !== null ||
      this.#connection.get('SELECT 1 FROM media WHERE hash = ? LIMIT 1', [hash]) !== null ||
      this.#connection.get('SELECT 1 FROM due WHERE instr(payload, ?) LIMIT 1', [hash]) !== null
    )
  }

  #acted(run: number): boolean {
    const sql = `SELECT 1 FROM workflow_run_steps WHERE id BETWEEN ? AND ? AND status = 'done' AND kind NOT IN (${QUIET}) LIMIT 1`
    return this.#connection.get(sql, stepsOf(run)) !== null
  }

  /** Something is still due for it, or nobody knows of a move of it. */
  #isOpen(run: number): boolean {
    const sql = `SELECT 1 WHERE EXISTS (SELECT 1 FROM due WHERE step_id BETWEEN ? AND ?) OR EXISTS
      (SELECT 1 FROM intents WHERE run_id = ? AND (ended_at IS NULL OR status = 'unknown'))`
    return this.#connection.get(sql, [...stepsOf(run), run]) !== null
  }

  /**
   * Runs that stay whatever their age: those that hold the highest id of a table, since an id that was seen outside
   * is never given again.
   */
  #spared(): Set<number> {
    const ids = (sql: string) => this.#connection.all<{ id: number | null }>(sql).map(({ id }) => id ?? 0)
    return new Set([
      ...ids('SELECT max(id) AS id FROM workflow_runs'),
      ...['media', 'notices', 'workflow_approvals'].flatMap(table =>
        ids(`SELECT run_id AS id FROM ${table} WHERE id = (SELECT max(id) FROM ${table})`),
      ),
    ])
  }
}
