import type { Connection } from '../connection.ts'
import type { UserRow } from '../rows-access.ts'

const COLUMNS = 'id, name, key, role, cameras, password, created_at AS createdAt, removed_at AS removedAt'

type Raw = Omit<UserRow, 'cameras'> & { cameras: string | null }

/** People who may sign in. */
export class Users {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Throws if somebody of that key is there. */
  add(row: Omit<UserRow, 'id' | 'removedAt'>): number {
    return this.#connection.change(
      'INSERT INTO users (name, key, role, cameras, password, created_at) VALUES (?, ?, ?, ?, ?, ?)',
      [row.name, row.key, row.role, listToText(row.cameras), row.password, row.createdAt],
    ).id
  }

  /** Changes what `patch` names, of somebody who is there. */
  update(id: number, patch: Partial<Pick<UserRow, 'role' | 'cameras' | 'password' | 'removedAt'>>): boolean {
    const old = this.get(id)
    if (!old) return false
    const row = { ...old, ...patch }
    const sql = 'UPDATE users SET role = ?, cameras = ?, password = ?, removed_at = ? WHERE id = ?'
    this.#connection.change(sql, [row.role, listToText(row.cameras), row.password, row.removedAt, id])
    return true
  }

  /** Somebody who was removed too. */
  get(id: number): UserRow | null {
    const raw = this.#connection.get<Raw>(`SELECT ${COLUMNS} FROM users WHERE id = ?`, [id])
    return raw && toRow(raw)
  }

  /** Somebody who is there, by the comparable form of the name. */
  byKey(key: string): UserRow | null {
    const sql = `SELECT ${COLUMNS} FROM users WHERE key = ? AND removed_at IS NULL`
    const raw = this.#connection.get<Raw>(sql, [key])
    return raw && toRow(raw)
  }

  /** Those who are there, in the order in which they came. */
  list(): UserRow[] {
    return this.#connection
      .all<Raw>(`SELECT ${COLUMNS} FROM users WHERE removed_at IS NULL ORDER BY id`)
      .map(toRow)
  }

  /** Whether anybody is there. */
  any(): boolean {
    return this.#connection.get('SELECT 1 FROM users WHERE removed_at IS NULL LIMIT 1') !== null
  }
}

function toRow(raw: Raw): UserRow {
  return { ...raw, cameras: raw.cameras === null ? null : (JSON.parse(raw.cameras) as string[]) }
}

function listToText(list: readonly string[] | null): string | null {
  return list === null ? null : JSON.stringify(list)
}
