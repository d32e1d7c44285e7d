import type { Clock } from '../../core/index.ts'
import type { Connection } from '../connection.ts'
import { toText, toValue } from '../json.ts'
import type { EventRow } from '../rows.ts'

const COLUMNS = `id, event_id AS eventId, kind, schema, camera_id AS cameraId, at, received_at AS receivedAt,
  payload`

/** What is looked for lately is looked for among so many. */
const MOST_SEARCHED = 5_000

type Raw = Omit<EventRow, 'payload'> & { payload: string | null }

/** Events that arrived, one row per id of their source. */
export class Events {
  readonly #connection: Connection
  readonly #clock: Clock

  constructor(connection: Connection, clock: Clock) {
    this.#connection = connection
    this.#clock = clock
  }

  /** Stores an event; false, and nothing stored, if its id was seen before. */
  remember(row: Omit<EventRow, 'id' | 'receivedAt'>): boolean {
    const { changes } = this.#connection.change(
      `INSERT INTO events (event_id, kind, schema, camera_id, at, received_at, payload)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (event_id) DO NOTHING`,
      [row.eventId, row.kind, row.schema, row.cameraId, row.at, this.#clock.now(), toText(row.payload)],
    )
    return changes > 0
  }

  /** The workflows that are still owed an event which was taken before; null: it was not. */
  owed(eventId: string): number[] | null {
    const sql = 'SELECT owed FROM events WHERE event_id = ?'
    const row = this.#connection.get<{ owed: string | null }>(sql, [eventId])
    return row && (row.owed === null ? [] : (JSON.parse(row.owed) as number[]))
  }

  /** Says which workflows are still owed a stored event. */
  owe(eventId: string, workflows: readonly number[]): void {
    const owed = workflows.length ? JSON.stringify(workflows) : null
    this.#connection.change('UPDATE events SET owed = ? WHERE event_id = ? AND owed IS NOT ?', [
      owed,
      eventId,
      owed,
    ])
  }

  /** Of one camera, observed at or after `since` (epoch ms), newest first. */
  ofCamera(cameraId: string, since: number, limit: number): EventRow[] {
    const sql = `SELECT ${COLUMNS} FROM events WHERE camera_id = ? AND at >= ? ORDER BY id DESC LIMIT ?`
    return this.#connection
      .all<Raw>(sql, [cameraId, since, limit])
      .map(raw => ({ ...raw, payload: toValue(raw.payload) }))
  }

  /**
   * Observed in `[since, until]` (epoch ms), newest first, out of the latest that arrived: at most `limit`. Null: of
   * all cameras, of all schemas.
   */
  latest(filter: {
    cameraId: string | null
    schema: string | null
    since: number
    until: number
    limit: number
  }): EventRow[] {
    const { cameraId, schema, since, until, limit } = filter
    const sql = `SELECT * FROM (SELECT ${COLUMNS} FROM events ORDER BY id DESC LIMIT ${MOST_SEARCHED})
      WHERE at BETWEEN ? AND ? AND cameraId IS coalesce(?, cameraId) AND schema IS coalesce(?, schema)
      ORDER BY at DESC, id DESC LIMIT ?`
    return this.#connection
      .all<Raw>(sql, [since, until, cameraId, schema, limit])
      .map(raw => ({ ...raw, payload: toValue(raw.payload) }))
  }

  /**
   * Of a schema, with their payload, observed in `[since, until]` (epoch ms): the latest `limit`, newest first, and
   * how many there are of which the payload is still kept.
   */
  kept(
    schema: string,
    { since, until, limit }: { since: number; until: number; limit: number },
  ): { rows: EventRow[]; all: number } {
    const which = 'FROM events WHERE schema = ? AND payload IS NOT NULL AND at BETWEEN ? AND ?'
    const rows = this.#connection
      .all<Raw>(`SELECT ${COLUMNS} ${which} ORDER BY at DESC, id DESC LIMIT ?`, [schema, since, until, limit])
      .map(raw => ({ ...raw, payload: toValue(raw.payload) }))
    if (rows.length < limit) return { rows, all: rows.length }
    const sql = `SELECT count(*) AS n ${which}`
    return { rows, all: this.#connection.get<{ n: number }>(sql, [schema, since, until])?.n ?? 0 }
  }

  /** Keeps the payloads of the latest `most` of a schema; the others stay as seen. */
  thin(schema: string, most: number): void {
    this.#connection.change(
      `UPDATE events SET payload = NULL WHERE id IN (SELECT id FROM events WHERE schema = ? AND payload IS NOT NULL
       ORDER BY at DESC, id DESC LIMIT -1 OFFSET ?)`,
      [schema, most],
    )
  }
}
