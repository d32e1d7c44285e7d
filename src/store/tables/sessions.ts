import type { Connection } from '../connection.ts'
import type { SessionRow } from '../rows-access.ts'

const COLUMNS = `id, user_id AS userId, hash, former, former_until AS formerUntil, device,
  created_at AS createdAt, renewed_at AS renewedAt, seen_at AS seenAt`

/** Who is signed in where. */
export class Sessions {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** `at`: epoch ms. */
  add(userId: number, hash: string, device: string | null, at: number): number {
    return this.#connection.change(
      'INSERT INTO sessions (user_id, hash, device, created_at, renewed_at, seen_at) VALUES (?, ?, ?, ?, ?, ?)',
      [userId, hash, device, at, at, at],
    ).id
  }

  get(id: number): SessionRow | null {
    return this.#connection.get(`SELECT ${COLUMNS} FROM sessions WHERE id = ?`, [id])
  }

  /** By its present hash or the one before. */
  byHash(hash: string): SessionRow | null {
    return (
      this.#connection.get<SessionRow>(`SELECT ${COLUMNS} FROM sessions WHERE hash = ?`, [hash]) ??
      this.#connection.get<SessionRow>(`SELECT ${COLUMNS} FROM sessions WHERE former = ?`, [hash])
    )
  }

  /** Another secret from now on; the one before holds until `closeFormer` says when it ends. */
  renew(id: number, hash: string, at: number): void {
    this.#connection.change(
      'UPDATE sessions SET former = hash, former_until = NULL, hash = ?, renewed_at = ?, seen_at = ? WHERE id = ?',
      [hash, at, at, id],
    )
  }

  closeFormer(id: number, until: number): void {
    this.#connection.change('UPDATE sessions SET former_until = ? WHERE id = ?', [until, id])
  }

  seen(id: number, at: number): void {
    this.#connection.change('UPDATE sessions SET seen_at = ? WHERE id = ?', [at, id])
  }

  end(id: number): boolean {
    return this.#connection.change('DELETE FROM sessions WHERE id = ?', [id]).changes > 0
  }

  /** Ends all of a user, but for one where that is named. */
  endOf(userId: number, but: number | null): void {
    this.#connection.change('DELETE FROM sessions WHERE user_id = ? AND id <> ?', [userId, but ?? 0])
  }

  /** Forgets those that nobody has used since `idle`, or that began before `began` (epoch ms). */
  prune(idle: number, began: number): void {
    this.#connection.change('DELETE FROM sessions WHERE seen_at < ? OR created_at < ?', [idle, began])
  }

  /** Newest use first. */
  ofUser(userId: number): SessionRow[] {
    const sql = `SELECT ${COLUMNS} FROM sessions WHERE user_id = ? ORDER BY seen_at DESC, id DESC`
    return this.#connection.all(sql, [userId])
  }
}
