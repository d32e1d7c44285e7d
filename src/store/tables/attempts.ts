import type { Connection } from '../connection.ts'
import type { AttemptRow } from '../rows-access.ts'

/** Tries that failed, by whom or from where. */
export class Attempts {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  get(key: string): AttemptRow | null {
    return this.#connection.get('SELECT key, count, at, until FROM attempts WHERE key = ?', [key])
  }

  set({ key, count, at, until }: AttemptRow): void {
    this.#connection.change(
      `INSERT INTO attempts (key, count, at, until) VALUES (?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET count = excluded.count, at = excluded.at, until = excluded.until`,
      [key, count, at, until],
    )
  }

  forget(key: string): boolean {
    return this.#connection.change('DELETE FROM attempts WHERE key = ?', [key]).changes > 0
  }

  /** Forgets those of before `at` (epoch ms), and of what is left all but the latest `most`. */
  prune(at: number, most: number): void {
    this.#connection.change('DELETE FROM attempts WHERE at < ? AND until < ?', [at, at])
    this.#connection.change(
      'DELETE FROM attempts WHERE key IN (SELECT key FROM attempts ORDER BY at DESC LIMIT -1 OFFSET ?)',
      [most],
    )
  }
}
