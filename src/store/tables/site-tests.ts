import type { Connection } from '../connection.ts'
import type { SiteTestRow } from '../rows-well.ts'

/** The last test of each channel, destination and camera. */
export class SiteTests {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  set({ kind, name, at, outcome, message }: SiteTestRow): void {
    this.#connection.change(
      `INSERT INTO site_tests (kind, name, at, outcome, message) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (kind, name) DO UPDATE SET at = excluded.at, outcome = excluded.outcome, message = excluded.message`,
      [kind, name, at, outcome, message],
    )
  }

  all(): SiteTestRow[] {
    return this.#connection.all('SELECT kind, name, at, outcome, message FROM site_tests ORDER BY kind, name')
  }
}
