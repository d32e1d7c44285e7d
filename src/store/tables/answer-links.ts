import type { Connection } from '../connection.ts'
import type { AnswerLinkRow } from '../rows-access.ts'

/** Links by which one person answers one question. */
export class AnswerLinks {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** False if the question is gone. */
  add({ hash, approvalId, person }: AnswerLinkRow): boolean {
    const sql = `INSERT INTO answer_links (hash, approval_id, person)
      SELECT ?, id, ? FROM workflow_approvals WHERE id = ?`
    return this.#connection.change(sql, [hash, person, approvalId]).changes > 0
  }

  byHash(hash: string): AnswerLinkRow | null {
    const sql = `SELECT hash, approval_id AS approvalId, person FROM answer_links WHERE hash = ?`
    return this.#connection.get(sql, [hash])
  }
}
