import type { Connection } from '../connection.ts'
import { RESTORED, type Restored } from '../rescue/mend.ts'

/** Ids that are left out after a restore: those that were given since are not given again. */
const GAP = 1_000_000

/** What has to be done once when the file is an older state of this box. */
export class RestoredState {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Null where the file is not a restored one, or what follows from that was done. */
  get(): Restored | null {
    const sql = 'SELECT value FROM meta WHERE key = ?'
    const row = this.#connection.get<{ value: string }>(sql, [RESTORED])
    return row && (JSON.parse(row.value) as Restored)
  }

  /**
   * Nothing that was promised then is still due, nobody is signed in, and no id is given a second time: the latest run is
   * repeated, as one that failed with `why`, far behind it, and the latest notice goes there too.
   */
  forget(why: string): void {
    const change = (sql: string, params: (string | number)[] = []) => this.#connection.change(sql, params)
    change('DELETE FROM due')
    change('DELETE FROM sessions')
    change(
      `INSERT INTO workflow_runs (id, workflow_id, version_id, state, status, trigger_kind, event, "values",
       started_at, ended_at, error)
       SELECT id + ?, workflow_id, version_id, state, 'failed', trigger_kind, '{}', '{}', started_at, started_at, ?
       FROM workflow_runs ORDER BY id DESC LIMIT 1`,
      [GAP, why],
    )
    change('UPDATE notices SET id = id + ? WHERE id = (SELECT max(id) FROM notices)', [GAP])
    change('UPDATE sqlite_sequence SET seq = seq + ?', [GAP])
    change('DELETE FROM meta WHERE key = ?', [RESTORED])
  }
}
