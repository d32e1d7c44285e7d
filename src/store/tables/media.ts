import type { Connection } from '../connection.ts'
import type { MediaRow } from '../rows.ts'

const COLUMNS = `id, run_id AS runId, step_id AS stepId, hash, type, bytes, source, taken_at AS takenAt,
  created_at AS createdAt`

/** Which run and step has which picture. The bytes are in `MediaFiles`: written first, then this row. */
export class Media {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  add(row: Omit<MediaRow, 'id'>): number {
    return this.#connection.change(
      `INSERT INTO media (run_id, step_id, hash, type, bytes, source, taken_at, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      [row.runId, row.stepId, row.hash, row.type, row.bytes, row.source, row.takenAt, row.createdAt],
    ).id
  }

  get(id: number): MediaRow | null {
    return this.#connection.get(`SELECT ${COLUMNS} FROM media WHERE id = ?`, [id])
  }

  ofRun(runId: number): MediaRow[] {
    return this.#connection.all(`SELECT ${COLUMNS} FROM media WHERE run_id = ? ORDER BY id`, [runId])
  }

  byHash(hash: string): MediaRow[] {
    return this.#connection.all(`SELECT ${COLUMNS} FROM media WHERE hash = ? ORDER BY id`, [hash])
  }
}
