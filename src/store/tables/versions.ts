import type { Connection } from '../connection.ts'
import type { VersionRow } from '../rows.ts'

const COLUMNS =
  'id, workflow_id AS workflowId, number, yaml, created_at AS createdAt, author, change, was_on AS wasOn'

type Raw = Omit<VersionRow, 'wasOn'> & { wasOn: number }

/** Who saved a version, and what changed in it. */
export interface VersionNote {
  author: string | null
  change: string | null
}

/** The files of a workflow, one row per version; rows never change. */
export class Versions {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** The next version of a workflow. It is in force once `workflows.update` says so. `createdAt`: epoch ms. */
  add(
    workflowId: number,
    yaml: string,
    createdAt: number,
    note: VersionNote = { author: null, change: null },
  ): { id: number; number: number } {
    const number = (this.#newest(workflowId) ?? 0) + 1
    const { id } = this.#connection.change(
      `INSERT INTO workflow_versions (workflow_id, number, yaml, created_at, author, change)
       VALUES (?, ?, ?, ?, ?, ?)`,
      [workflowId, number, yaml, createdAt, note.author, note.change],
    )
    return { id, number }
  }

  get(id: number): VersionRow | null {
    const raw = this.#connection.get<Raw>(`SELECT ${COLUMNS} FROM workflow_versions WHERE id = ?`, [id])
    return raw && toRow(raw)
  }

  /** By its number within the workflow. */
  numbered(workflowId: number, number: number): VersionRow | null {
    const sql = `SELECT ${COLUMNS} FROM workflow_versions WHERE workflow_id = ? AND number = ?`
    const raw = this.#connection.get<Raw>(sql, [workflowId, number])
    return raw && toRow(raw)
  }

  /** Newest first. */
  ofWorkflow(workflowId: number, limit = -1): VersionRow[] {
    const sql = `SELECT ${COLUMNS} FROM workflow_versions WHERE workflow_id = ? ORDER BY number DESC LIMIT ?`
    return this.#connection.all<Raw>(sql, [workflowId, limit]).map(toRow)
  }

  /** Those that were in force while the workflow was On, newest first. */
  thatWereOn(workflowId: number, limit: number): VersionRow[] {
    const sql = `SELECT ${COLUMNS} FROM workflow_versions WHERE workflow_id = ? AND was_on = 1
      ORDER BY number DESC LIMIT ?`
    return this.#connection.all<Raw>(sql, [workflowId, limit]).map(toRow)
  }

  /** It is in force while the workflow is On. */
  setOn(id: number): void {
    this.#connection.change('UPDATE workflow_versions SET was_on = 1 WHERE id = ? AND was_on = 0', [id])
  }

  #newest(workflowId: number): number | null {
    const row = this.#connection.get<{ number: number | null }>(
      'SELECT max(number) AS number FROM workflow_versions WHERE workflow_id = ?',
      [workflowId],
    )
    return row?.number ?? null
  }
}

function toRow(raw: Raw): VersionRow {
  return { ...raw, wasOn: raw.wasOn === 1 }
}
