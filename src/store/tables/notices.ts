import { SEVERITIES } from '../../contract/index.ts'
import type { Connection } from '../connection.ts'
import type { NoticeRow } from '../rows.ts'

const COLUMNS = `id, run_id AS runId, step_id AS stepId, kind, severity, title, body, audience,
  camera_id AS cameraId, media_id AS mediaId, created_at AS createdAt`

/** Which notices to list. */
export interface NoticeFilter {
  kinds?: readonly NoticeRow['kind'][]
  severities?: readonly string[]
  /** Only those about a move of which nobody knows whether it happened. */
  unsettled?: boolean
  /** The id of the last notice of the page before. */
  before?: number
  limit: number
}

const KINDS = ['alert', 'notify'] as const

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

  get(id: number): NoticeRow | null {
    return this.#connection.get(`SELECT ${COLUMNS} FROM notices WHERE id = ?`, [id])
  }

  /** Newest first. */
  list({ kinds, severities, unsettled, before, limit }: NoticeFilter): NoticeRow[] {
    const rest = [before ?? Number.MAX_SAFE_INTEGER, limit]
    if (unsettled) {
      return this.#connection.all(
        `SELECT ${COLUMNS} FROM notices WHERE (run_id, step_id) IN
         (SELECT run_id, step_id FROM intents WHERE status = 'unknown')
         AND kind IN (SELECT value FROM json_each(?)) AND severity IN (SELECT value FROM json_each(?))
         AND id < ? ORDER BY id DESC LIMIT ?`,
        [JSON.stringify(kinds ?? KINDS), JSON.stringify(severities ?? SEVERITIES), ...rest],
      )
    }
    if (!kinds && !severities) {
      return this.#connection.all(
        `SELECT ${COLUMNS} FROM notices WHERE id < ? ORDER BY id DESC LIMIT ?`,
        rest,
      )
    }
    // One run along the index for each pair: a rare one is not looked for through all the others.
    const sql = `SELECT ${COLUMNS} FROM notices WHERE kind = ? AND severity = ? AND id < ? ORDER BY id DESC LIMIT ?`
    const pairs = (kinds ?? KINDS).flatMap(kind => (severities ?? SEVERITIES).map(each => [kind, each]))
    return pairs
      .flatMap(pair => this.#connection.all<NoticeRow>(sql, [...pair, ...rest]))
      .sort((a, b) => b.id - a.id)
      .slice(0, limit)
  }

  ofRun(runId: number): NoticeRow[] {
    return this.#connection.all(`SELECT ${COLUMNS} FROM notices WHERE run_id = ? ORDER BY id`, [runId])
  }
}
