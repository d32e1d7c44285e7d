import type { Connection } from '../connection.ts'
import { objectToText, toList, toObject } from '../json.ts'
import type { RunRow, RunStatus } from '../rows.ts'
import { type RunFilter, whereOf } from './run-filter.ts'

const COLUMNS = `id, workflow_id AS workflowId, version_id AS versionId, state, status,
  trigger_kind AS triggerKind, event, camera_id AS cameraId, "values", chain, correlation_id AS correlationId,
  seen_again AS seenAgain, taint, late_ms AS lateMs, site_version AS siteVersion, moves,
  stop_at AS stopAt, error, started_at AS startedAt, ended_at AS endedAt`

/** Starts of runs that are read at a time. */
const STARTS_READ = 200

type JsonColumn = 'event' | 'values' | 'chain' | 'taint' | 'moves'
type Raw = Omit<RunRow, JsonColumn> & Record<JsonColumn, string | null>

/** What a new run needs; it starts as `running`. */
export type NewRun = Omit<
  RunRow,
  | 'id'
  | 'status'
  | 'seenAgain'
  | 'taint'
  | 'lateMs'
  | 'siteVersion'
  | 'moves'
  | 'stopAt'
  | 'error'
  | 'endedAt'
  | 'broken'
> &
  Partial<Pick<RunRow, 'taint' | 'lateMs' | 'siteVersion' | 'moves'>>

/** Runs, from their admission on. */
export class Runs {
  /** Since the start, settling left aside. */
  readonly counts: { started: number; ended: Record<string, number> } = { started: 0, ended: {} }
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  insert(row: NewRun): number {
    this.counts.started++
    return this.#connection.change(
      `INSERT INTO workflow_runs (workflow_id, version_id, state, status, trigger_kind, event, camera_id, "values",
       chain, correlation_id, taint, late_ms, site_version, moves, started_at)
       VALUES (?, ?, ?, 'running', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        row.workflowId,
        row.versionId,
        row.state,
        row.triggerKind,
        objectToText(row.event),
        row.cameraId,
        objectToText(row.values),
        row.chain.length === 0 ? null : JSON.stringify(row.chain),
        row.correlationId,
        row.taint?.length ? JSON.stringify(row.taint) : null,
        row.lateMs ?? 0,
        row.siteVersion ?? 0,
        row.moves?.length ? JSON.stringify(row.moves) : null,
        row.startedAt,
      ],
    ).id
  }

  /**
   * Ends an unfinished run; false if it had ended already (the first end stands). `at`: epoch ms.
   * An `unknown` run is ended too; a person settles it with `settle`.
   */
  end(
    id: number,
    status: Exclude<RunStatus, 'running' | 'waiting'>,
    at: number,
    error: string | null = null,
  ): boolean {
    const sql =
      'UPDATE workflow_runs SET status = ?, ended_at = ?, error = ?, stop_at = NULL WHERE id = ? AND ended_at IS NULL'
    const ended = this.#connection.change(sql, [status, at, error, id]).changes > 0
    if (ended) this.counts.ended[status] = (this.counts.ended[status] ?? 0) + 1
    return ended
  }

  /** How many have not ended, by status. */
  unfinishedByStatus(): Record<string, number> {
    const rows = this.#connection.all<{ status: string; n: number }>(
      'SELECT status, count(*) AS n FROM workflow_runs WHERE ended_at IS NULL GROUP BY status',
    )
    return Object.fromEntries(rows.map(({ status, n }) => [status, n]))
  }

  /** Between `running` and `waiting`; false if the run has ended. */
  setStatus(id: number, status: 'running' | 'waiting'): boolean {
    const sql = 'UPDATE workflow_runs SET status = ? WHERE id = ? AND ended_at IS NULL'
    return this.#connection.change(sql, [status, id]).changes > 0
  }

  /** Gives an `unknown` run the status that a person settled, and why; false if it is not `unknown`. */
  settle(id: number, status: 'done' | 'failed' | 'stopped', error: string | null): boolean {
    const sql = "UPDATE workflow_runs SET status = ?, error = ? WHERE id = ? AND status = 'unknown'"
    return this.#connection.change(sql, [status, error, id]).changes > 0
  }

  /** A stop was asked for (epoch ms), or has taken effect (null); false if the run has ended. */
  setStop(id: number, at: number | null): boolean {
    const sql = 'UPDATE workflow_runs SET stop_at = ? WHERE id = ? AND ended_at IS NULL'
    return this.#connection.change(sql, [at, id]).changes > 0
  }

  /** Remembers how far behind its time the run is (ms). */
  setLate(id: number, lateMs: number): void {
    this.#connection.change('UPDATE workflow_runs SET late_ms = ? WHERE id = ?', [lateMs, id])
  }

  /** Counts a repeat of the trigger that this run took in. */
  seenAgain(id: number): void {
    this.#connection.change('UPDATE workflow_runs SET seen_again = seen_again + 1 WHERE id = ?', [id])
  }

  get(id: number): RunRow | null {
    const raw = this.#connection.get<Raw>(`SELECT ${COLUMNS} FROM workflow_runs WHERE id = ?`, [id])
    return raw && toRow(raw)
  }

  /** The latest first, whatever the clock said. */
  list(filter: RunFilter): RunRow[] {
    const { where, values } = whereOf(filter)
    const sql = `SELECT ${COLUMNS} FROM workflow_runs WHERE ${where} ORDER BY id DESC LIMIT ?`
    return this.#connection.all<Raw>(sql, [...values, filter.limit]).map(toRow)
  }

  /** How many of a workflow there are in a state, by status. */
  tally(workflowId: number, state: RunRow['state']): Record<string, number> {
    const rows = this.#connection.all<{ status: string; n: number }>(
      'SELECT status, count(*) AS n FROM workflow_runs WHERE workflow_id = ? AND state = ? GROUP BY status',
      [workflowId, state],
    )
    return Object.fromEntries(rows.map(({ status, n }) => [status, n]))
  }

  /** Runs that had not ended when the box went down, oldest first. */
  unfinished(): RunRow[] {
    const sql = `SELECT ${COLUMNS} FROM workflow_runs WHERE ended_at IS NULL ORDER BY id`
    return this.#connection.all<Raw>(sql).map(toRow)
  }

  /**
   * When and for which camera a workflow's runs began since then (epoch ms), oldest first. Looks back from the latest
   * one; a few with a wrong clock's date among them do not end that.
   */
  startsSince(workflowId: number, since: number): { id: number; cameraId: string | null; at: number }[] {
    const found: { id: number; cameraId: string | null; at: number }[] = []
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      const page = this.#connection.all<{ id: number; cameraId: string | null; at: number }>(
        `SELECT id, camera_id AS cameraId, started_at AS at FROM workflow_runs WHERE workflow_id = ? AND id < ?
         ORDER BY id DESC LIMIT ?`,
        [workflowId, before, STARTS_READ],
      )
      const recent = page.filter(({ at }) => at >= since)
      found.push(...recent)
      before = page.at(-1)?.id ?? 0
      if (!recent.length || page.length < STARTS_READ) return found.sort((a, b) => a.at - b.at || a.id - b.id)
    }
  }
}

function toRow(raw: Raw): RunRow {
  const columns = {
    event: toObject(raw.event, raw),
    values: toObject(raw.values, raw),
    chain: toList<string>(raw.chain, raw),
    taint: toList<string>(raw.taint, raw),
    moves: toList<string>(raw.moves, raw),
  }
  return { ...raw, ...columns }
}
