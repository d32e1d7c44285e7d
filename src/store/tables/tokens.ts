import type { Connection } from '../connection.ts'
import type { TokenRow } from '../rows-access.ts'

const COLUMNS = `id, user_id AS userId, name, hash, scopes, created_at AS createdAt, used_at AS usedAt,
  expires_at AS expiresAt`

type Raw = Omit<TokenRow, 'scopes'> & { scopes: string }

/** What programs show instead of a password. */
export class Tokens {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  add(row: Omit<TokenRow, 'id' | 'usedAt'>): number {
    return this.#connection.change(
      'INSERT INTO tokens (user_id, name, hash, scopes, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
      [row.userId, row.name, row.hash, JSON.stringify(row.scopes), row.createdAt, row.expiresAt],
    ).id
  }

  get(id: number): TokenRow | null {
    return this.#one('id = ?', id)
  }

  byHash(hash: string): TokenRow | null {
    return this.#one('hash = ?', hash)
  }

  used(id: number, at: number): void {
    this.#connection.change('UPDATE tokens SET used_at = ? WHERE id = ?', [at, id])
  }

  remove(id: number): boolean {
    return this.#connection.change('DELETE FROM tokens WHERE id = ?', [id]).changes > 0
  }

  removeOf(userId: number): void {
    this.#connection.change('DELETE FROM tokens WHERE user_id = ?', [userId])
  }

  /** Of one user, or of all; oldest first. */
  list(userId: number | null): TokenRow[] {
    const raw =
      userId === null
        ? this.#connection.all<Raw>(`SELECT ${COLUMNS} FROM tokens ORDER BY id`)
        : this.#connection.all<Raw>(`SELECT ${COLUMNS} FROM tokens WHERE user_id = ? ORDER BY id`, [userId])
    return raw.map(toRow)
  }

  #one(where: string, value: string | number): TokenRow | null {
    const raw = this.#connection.get<Raw>(`SELECT ${COLUMNS} FROM tokens WHERE ${where}`, [value])
    return raw && toRow(raw)
  }
}

function toRow(raw: Raw): TokenRow {
  return { ...raw, scopes: JSON.parse(raw.scopes) as string[] }
}
