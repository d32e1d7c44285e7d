import type { JsonValue } from '../../core/index.ts'
import type { Connection } from '../connection.ts'
import { toText, toValue } from '../json.ts'
import type { IntentRow } from '../rows.ts'

const COLUMNS =
  'id, run_id AS runId, step_id AS stepId, kind, params, status, created_at AS createdAt, ended_at AS endedAt'

type Raw = Omit<IntentRow, 'params'> & { params: string | null }

/** Moves, written before they are tried. */
export class Intents {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  open(row: { runId: number; stepId: number; kind: string; params: JsonValue; createdAt: number }): number {
    return this.#connection.change(
      `INSERT INTO intents (run_id, step_id, kind, params, status, created_at)
       VALUES (?, ?, ?, ?, 'intended', ?)`,
      [row.runId, row.stepId, row.kind, toText(row.params), row.createdAt],
    ).id
  }

  /** Takes an open intent back, of which nothing was done. */
  takeBack(id: number): void {
    this.#connection.change("DELETE FROM intents WHERE id = ? AND status = 'intended'", [id])
  }

  /** The result of an open intent; false if it was closed before (the first result stands). `at`: epoch ms. */
  close(id: number, status: 'done' | 'failed' | 'unknown', at: number): boolean {
    const sql = "UPDATE intents SET status = ?, ended_at = ? WHERE id = ? AND status = 'intended'"
    return this.#connection.change(sql, [status, at, id]).changes > 0
  }

  /** A person said what became of an `unknown` one; false if it is not `unknown`. */
  settle(id: number, at: number): boolean {
    const sql = "UPDATE intents SET status = 'settled', ended_at = ? WHERE id = ? AND status = 'unknown'"
    return this.#connection.change(sql, [at, id]).changes > 0
  }

  /** How many nobody knows of: a person has to settle them. */
  unknown(): number {
    return (
      this.#connection.get<{ n: number }>("SELECT count(*) AS n FROM intents WHERE status = 'unknown'")?.n ??
      0
    )
  }

  ofRun(runId: number): IntentRow[] {
    return this.#connection
      .all<Raw>(`SELECT ${COLUMNS} FROM intents WHERE run_id = ? ORDER BY id`, [runId])
      .map(toRow)
  }
}

function toRow(raw: Raw): IntentRow {
  return { ...raw, params: toValue(raw.params, {}) }
}
