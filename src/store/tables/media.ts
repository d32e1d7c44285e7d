import type { Connection } from '../connection.ts'
import type { MediaRow } from '../rows.ts'

const COLUMNS = `id, run_id AS runId, step_id AS stepId, hash, type, bytes, source, taken_at AS takenAt,
  created_at AS createdAt`

/** Clips are kept as pictures are, and shown elsewhere. */
const IS_CLIP = "type LIKE 'video/%'"
/** One that was forgotten and whose number must not be given again has no bytes. */
const IS_THERE = "hash <> ''"

/** Which run and step has which picture or clip. The bytes are in `MediaFiles`: written first, then this row. */
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

  /** Its pictures. */
  ofRun(runId: number): MediaRow[] {
    const sql = `SELECT ${COLUMNS} FROM media WHERE run_id = ? AND ${IS_THERE} AND NOT ${IS_CLIP} ORDER BY id`
    return this.#connection.all(sql, [runId])
  }

  clipsOf(runId: number): MediaRow[] {
    return this.#connection.all(
      `SELECT ${COLUMNS} FROM media WHERE run_id = ? AND ${IS_THERE} AND ${IS_CLIP} ORDER BY id`,
      [runId],
    )
  }

  /** The one that stands for a run in a list: the last that a step judged, else the first that came with the event. */
  shownOf(runId: number): number | null {
    const sql = `SELECT id FROM media WHERE run_id = ? AND ${IS_THERE} AND NOT ${IS_CLIP}
      ORDER BY step_id IS NULL, CASE WHEN step_id IS NULL THEN id ELSE -id END LIMIT 1`
    return this.#connection.get<{ id: number }>(sql, [runId])?.id ?? null
  }
}
