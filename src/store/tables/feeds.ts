import type { Connection } from '../connection.ts'

/** How far each channel has told the notices: all up to its cursor were delivered, or passed over. */
export class Feeds {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Id of the last notice that a channel is through with; null: it was never used. */
  cursor(name: string): number | null {
    const sql = 'SELECT cursor FROM feeds WHERE name = ?'
    return this.#connection.get<{ cursor: number }>(sql, [name])?.cursor ?? null
  }

  set(name: string, cursor: number): void {
    this.#connection.change(
      'INSERT INTO feeds (name, cursor) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET cursor = excluded.cursor',
      [name, cursor],
    )
  }

  remove(name: string): void {
    this.#connection.change('DELETE FROM feeds WHERE name = ?', [name])
  }

  names(): string[] {
    return this.#connection
      .all<{ name: string }>('SELECT name FROM feeds ORDER BY name')
      .map(({ name }) => name)
  }
}
