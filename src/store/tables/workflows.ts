import type { Connection } from '../connection.ts'
import type { WorkflowRow } from '../rows.ts'

const COLUMNS = `id, slug, name, state, attention, attention_of AS attentionOf, version_id AS versionId, hook_id AS hookId,
  created_at AS createdAt, updated_at AS updatedAt, removed_at AS removedAt,
  saved_by AS savedBy`

/** Workflows, each with the version that is in force. */
export class Workflows {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** A new workflow with its first version. Throws if the slug or the hook is taken. */
  insert(
    row: Omit<WorkflowRow, 'id' | 'versionId' | 'attentionOf' | 'removedAt'>,
    yaml: string,
    author: string | null = null,
  ): { id: number; versionId: number } {
    const { id } = this.#connection.change(
      `INSERT INTO workflows (slug, name, state, attention, hook_id, created_at, updated_at, saved_by)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        row.slug,
        row.name,
        row.state,
        row.attention,
        row.hookId,
        row.createdAt,
        row.updatedAt,
        row.savedBy ?? null,
      ],
    )
    const version = this.#connection.change(
      'INSERT INTO workflow_versions (workflow_id, number, yaml, created_at, author, was_on) VALUES (?, 1, ?, ?, ?, ?)',
      [id, yaml, row.createdAt, author, row.state === 'on' ? 1 : 0],
    )
    this.#connection.change('UPDATE workflows SET version_id = ? WHERE id = ?', [version.id, id])
    return { id, versionId: version.id }
  }

  /** Changes what `patch` names. `updatedAt`: epoch ms. Returns false if there is no such workflow. */
  update(id: number, patch: Partial<Omit<WorkflowRow, 'id' | 'createdAt'>> & { updatedAt: number }): boolean {
    const old = this.get(id)
    if (!old) return false
    const row = { ...old, ...patch }
    this.#connection.change(
      `UPDATE workflows SET slug = ?, name = ?, state = ?, attention = ?, attention_of = ?, version_id = ?, hook_id = ?,
       updated_at = ?, removed_at = ?, saved_by = ? WHERE id = ?`,
      [
        row.slug,
        row.name,
        row.state,
        row.attention,
        row.attentionOf,
        row.versionId,
        row.hookId,
        row.updatedAt,
        row.removedAt,
        row.savedBy ?? null,
        id,
      ],
    )
    return true
  }

  get(id: number): WorkflowRow | null {
    return this.#connection.get(`SELECT ${COLUMNS} FROM workflows WHERE id = ?`, [id])
  }

  /** All, those that were removed too, in the order in which they were made. */
  list(): WorkflowRow[] {
    return this.#connection.all(`SELECT ${COLUMNS} FROM workflows ORDER BY id`)
  }
}
