import type { Connection } from '../connection.ts'
import type { AuditRow } from '../rows.ts'

/** Who changed what, and when. Rows are only ever added. */
export class Audit {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  add(row: Omit<AuditRow, 'id'>): number {
    return this.#connection.change(
      'INSERT INTO audit (at, author, action, target, before, after) VALUES (?, ?, ?, ?, ?, ?)',
      [row.at, row.author, row.action, row.target, row.before, row.after],
    ).id
  }

  /** Newest first; `before` is the id of the last row of the page before. */
  list(filter: { before?: number; limit: number }): AuditRow[] {
    return this.#connection.all('SELECT * FROM audit WHERE id < ? ORDER BY id DESC LIMIT ?', [
      filter.before ?? Number.MAX_SAFE_INTEGER,
      filter.limit,
    ])
  }
}
