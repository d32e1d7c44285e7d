import type { Connection } from '../connection.ts'

/** Single facts about this box: its id, the site's mode. */
export class Meta {
  readonly #connection: Connection
  #boxId = ''

  constructor(connection: Connection) {
    this.#connection = connection
  }

  get(key: string): string | null {
    return (
      this.#connection.get<{ value: string }>('SELECT value FROM meta WHERE key = ?', [key])?.value ?? null
    )
  }

  set(key: string, value: string): void {
    this.#connection.change(
      'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
      [key, value],
    )
  }

  /** The id of this box, minted at the first start. */
  get boxId(): string {
    // It is asked for with every message and never changes.
    this.#boxId ||= this.get('box_id') ?? ''
    return this.#boxId
  }
}
