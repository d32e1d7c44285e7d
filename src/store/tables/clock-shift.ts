import type { Connection } from '../connection.ts'

/** Moves the times that promises last to, when the clock by which they were given turns out to be another. */
export class ClockShift {
  readonly #connection: Connection
  #due = 0
  #approval = 0

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** At the start: what is there by now was promised by the clock of before. */
  start(): void {
    const last = (table: string) =>
      this.#connection.get<{ id: number | null }>(`SELECT max(id) AS id FROM ${table}`)?.id ?? 0
    this.#due = last('due')
    this.#approval = last('workflow_approvals')
  }

  /** The latest time that is written down: this box has seen it. 0: none. */
  get latest(): number {
    const sql = `SELECT max(
      coalesce((SELECT started_at FROM workflow_runs ORDER BY id DESC LIMIT 1), 0),
      coalesce((SELECT created_at FROM notices ORDER BY id DESC LIMIT 1), 0)) AS at`
    return this.#connection.get<{ at: number }>(sql)?.at ?? 0
  }

  /** By `ms`; `sinceStart`: only what was promised since the start. Schedules follow the clock by themselves. */
  by(ms: number, sinceStart: boolean): void {
    const change = (sql: string, params: number[]) => this.#connection.change(sql, params)
    change(
      `UPDATE due SET at = at + ?, payload = CASE
         WHEN json_type(payload, '$.deadline') = 'integer'
         THEN json_set(payload, '$.deadline', json_extract(payload, '$.deadline') + ?) ELSE payload END
       WHERE kind <> 'schedule' AND id > ?`,
      [ms, ms, sinceStart ? this.#due : 0],
    )
    change("UPDATE workflow_approvals SET deadline = deadline + ? WHERE status = 'open' AND id > ?", [
      ms,
      sinceStart ? this.#approval : 0,
    ])
    // A session of before the start is not held against a clock that was wrong since: it may last longer, not less.
    if (sinceStart) return
    change('UPDATE snoozes SET until = until + ?', [ms])
    change('UPDATE attempts SET at = at + ?, until = until + ? WHERE until > 0', [ms, ms])
    change(
      `UPDATE sessions SET created_at = created_at + ?, renewed_at = renewed_at + ?, seen_at = seen_at + ?,
       former_until = former_until + ?`,
      [ms, ms, ms, ms],
    )
  }
}
