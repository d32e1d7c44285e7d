import type { Connection } from '../connection.ts'
import { toText, toValue } from '../json.ts'
import type { ToolCallRow } from '../rows.ts'

const COLUMNS = `id, step_id AS stepId, kind, name, args_asked AS argsAsked, result, status, mode,
  started_at AS startedAt, ms, tokens_in AS tokensIn, tokens_out AS tokensOut`

type Raw = Omit<ToolCallRow, 'argsAsked' | 'result'> & Record<'argsAsked' | 'result', string | null>

/** Every call of a model or a tool: the evidence of what ran. */
export class ToolCalls {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  insert(row: Omit<ToolCallRow, 'id'>): number {
    return this.#connection.change(
      `INSERT INTO workflow_tool_calls (step_id, kind, name, args_asked, result, status, mode, started_at, ms,
       tokens_in, tokens_out) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        row.stepId,
        row.kind,
        row.name,
        toText(row.argsAsked),
        toText(row.result),
        row.status,
        row.mode,
        row.startedAt,
        row.ms,
        row.tokensIn,
        row.tokensOut,
      ],
    ).id
  }

  /** In the order in which they were made. */
  ofStep(stepId: number): ToolCallRow[] {
    const sql = `SELECT ${COLUMNS} FROM workflow_tool_calls WHERE step_id = ? ORDER BY id`
    return this.#connection
      .all<Raw>(sql, [stepId])
      .map(raw => ({ ...raw, argsAsked: toValue(raw.argsAsked, {}), result: toValue(raw.result, {}) }))
  }
}
