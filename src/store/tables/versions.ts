import type { Connection } from '../connection.ts'
import type { VersionRow } from '../rows.ts'

const COLUMNS = 'id, workflow_id AS workflowId, number, yaml, created_at AS createdAt'

/** The files of a workflow, one row per version; rows never change. */
export class Versions {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** The next version of a workflow. It is in force once `workflows.update` says so. `createdAt`: epoch ms. */
  add(workflowId: number, yaml: string, createdAt: number): { id: number; number: number } {
    const number = (this.#newest(workflowId) ?? 0) + 1
    const { id } = this.#connection.change(
      'INSERT INTO workflow_versions (workflow_id, number, yaml, created_at) VALUES (?, ?, ?, ?)',
      [workflowId, number, yaml, createdAt],
    )
    return { id, number }
  }

  get(id: number): VersionRow | null {
    return this.#connection.get(`SELECT ${COLUMNS} FROM workflow_versions WHERE id = ?`, [id])
  }

  /** Newest first. */
  ofWorkflow(workflowId: number): VersionRow[] {
    return this.#connection.all(
      `SELECT ${COLUMNS} FROM workflow_versions WHERE workflow_id = ? ORDER BY number DESC`,
      [workflowId],
    )
  }

  #newest(workflowId: number): number | null {
    const row = this.#connection.get<{ number: number | null }>(
      'SELECT max(number) AS number FROM workflow_versions WHERE workflow_id = ?',
      [workflowId],
    )
    return row?.number ?? null
  }
}
