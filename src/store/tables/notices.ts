import type { Connection } from '../connection.ts'
import type { NoticeRow } from '../rows.ts'

const COLUMNS = `id, run_id AS runId, step_id AS stepId, kind, severity, title, body, audience,
  camera_id AS cameraId, media_id AS mediaId, created_at AS createdAt`

/** Alerts and notifications, as the page shows them. */
export class Notices {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  add(row: Omit<NoticeRow, 'id'>): number {
    return this.#connection.change(
      `INSERT INTO notices (run_id, step_id, kind, severity, title, body, audience, camera_id, media_id, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        row.runId,
        row.stepId,
        row.kind,
        row.severity,
        row.title,
        row.body,
        row.audience,
        row.cameraId,
        row.mediaId,
        row.createdAt,
      ],
    ).id
  }

  /** Newest first; `before` is the id of the last notice of the page before. */
  list(filter: { before?: number; limit: number }): NoticeRow[] {
    return this.#connection.all(`SELECT ${COLUMNS} FROM notices WHERE id < ? ORDER BY id DESC LIMIT ?`, [
      filter.before ?? Number.MAX_SAFE_INTEGER,
      filter.limit,
    ])
  }

  ofRun(runId: number): NoticeRow[] {
    return this.#connection.all(`SELECT ${COLUMNS} FROM notices WHERE run_id = ? ORDER BY id`, [runId])
  }
}
