import { SEVERITIES } from '../../contract/index.ts'
import type { Connection } from '../connection.ts'
import type { NoticeRow } from '../rows.ts'

const COLUMNS = `id, run_id AS runId, step_id AS stepId, kind, severity, title, body, audience,
  camera_id AS cameraId, media_id AS mediaId, created_at AS createdAt, about, over_at AS overAt`

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
      `INSERT INTO notices (run_id, step_id, kind, severity, title, body, audience, camera_id, media_id, created_at, about)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
        row.about ?? null,
      ],
    ).id
  }

  /** A workflow does not stand still any more: what was said of that is over. Answers with the notices' ids. */
  over(workflowId: number, at: number): number[] {
    const standing = this.#connection.all<{ id: number }>(
      'SELECT id FROM notices WHERE about = ? AND over_at IS NULL',
      [workflowId],
    )
    for (const { id } of standing)
      this.#connection.change('UPDATE notices SET over_at = ? WHERE id = ?', [at, id])
    return standing.map(({ id }) => id)
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

  /** Those behind `after`, oldest first. */
  following(after: number, limit: number): NoticeRow[] {
    return this.#connection.all(`SELECT ${COLUMNS} FROM notices WHERE id > ? ORDER BY id LIMIT ?`, [
      after,
      limit,
    ])
  }

  /** How many there are behind `after`, and behind which the newest `most` of them stand. */
  backlog(after: number, most: number): { count: number; from: number } {
    const sql = 'SELECT count(*) AS count FROM notices WHERE id > ?'
    const count = this.#connection.get<{ count: number }>(sql, [after])?.count ?? 0
    if (count <= most) return { count, from: after }
    const nth = 'SELECT id FROM notices ORDER BY id DESC LIMIT 1 OFFSET ?'
    return { count, from: this.#connection.get<{ id: number }>(nth, [most])?.id ?? after }
  }

  /** The id of the newest; 0: there is none. */
  last(): number {
    return this.#connection.get<{ id: number | null }>('SELECT max(id) AS id FROM notices')?.id ?? 0
  }
}
