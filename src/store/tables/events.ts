import type { Clock } from '../../core/index.ts'
import type { Connection } from '../connection.ts'
import { toText, toValue } from '../json.ts'
import type { EventRow } from '../rows.ts'

const COLUMNS = `id, event_id AS eventId, kind, schema, camera_id AS cameraId, at, received_at AS receivedAt,
  payload`

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

  seen(eventId: string): boolean {
    return this.#connection.get('SELECT 1 FROM events WHERE event_id = ?', [eventId]) !== null
  }

  /** Of one camera, observed at or after `since` (epoch ms), newest first. */
  ofCamera(cameraId: string, since: number, limit: number): EventRow[] {
    const sql = `SELECT ${COLUMNS} FROM events WHERE camera_id = ? AND at >= ? ORDER BY id DESC LIMIT ?`
    return this.#connection
      .all<Raw>(sql, [cameraId, since, limit])
      .map(raw => ({ ...raw, payload: toValue(raw.payload) }))
  }

  /**
   * Forgets what arrived before `before` (epoch ms): by arrival, because a source may date its events as it
   * likes. Returns how many went.
   */
  prune(before: number): number {
    return this.#connection.change('DELETE FROM events WHERE received_at < ?', [before]).changes
  }
}
