import type { Connection } from '../connection.ts'

/** What is not well, by what it is, each with what whoever watches it has to remember. */
export class Ailments {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  set(key: string, value: string): void {
    this.#connection.change(
      'INSERT INTO ailments (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
      [key, value],
    )
  }

  remove(key: string): void {
    this.#connection.change('DELETE FROM ailments WHERE key = ?', [key])
  }

  all(): { key: string; value: string }[] {
    return this.#connection.all('SELECT key, value FROM ailments ORDER BY key')
  }
}
