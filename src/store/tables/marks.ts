import type { Connection } from '../connection.ts'
import type { JudgedRow, MarkRow } from '../rows.ts'

const COLUMNS = `id, run_id AS runId, author, correct, note, at, replaced_at AS replacedAt`

type Raw = Omit<MarkRow, 'correct'> & { correct: number }

/** How often what an AI step decided was marked, and how often right. */
export interface Tally {
  marks: number
  right: number
}

/** What people say of runs, and what that says of the AI steps in them. */
export class Marks {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Takes the place of the same person's mark before; that one is kept as replaced. */
  add(row: Omit<MarkRow, 'id' | 'replacedAt'>): number {
    this.#connection.change(
      'UPDATE marks SET replaced_at = ? WHERE run_id = ? AND author = ? AND replaced_at IS NULL',
      [row.at, row.runId, row.author],
    )
    return this.#connection.change(
      'INSERT INTO marks (run_id, author, correct, note, at) VALUES (?, ?, ?, ?, ?)',
      [row.runId, row.author, row.correct ? 1 : 0, row.note, row.at],
    ).id
  }

  /** All marks of a run, the replaced ones included, oldest first. */
  ofRun(runId: number): MarkRow[] {
    return this.#connection
      .all<Raw>(`SELECT ${COLUMNS} FROM marks WHERE run_id = ? ORDER BY id`, [runId])
      .map(raw => ({ ...raw, correct: raw.correct === 1 }))
  }

  /** Runs of a workflow that people said something of, newest first. */
  runsOf(workflowId: number, limit: number): number[] {
    const sql = `SELECT DISTINCT marks.run_id AS id FROM marks
      JOIN workflow_runs ON workflow_runs.id = marks.run_id
      WHERE workflow_runs.workflow_id = ? AND marks.replaced_at IS NULL ORDER BY marks.run_id DESC LIMIT ?`
    return this.#connection.all<{ id: number }>(sql, [workflowId, limit]).map(({ id }) => id)
  }

  /** Notes what the marks of its run come to for an AI step; a later word replaces it. */
  judge(row: JudgedRow): void {
    this.#connection.change('INSERT OR REPLACE INTO judged VALUES (?, ?, ?, ?, ?, ?, ?, ?)', [
      row.stepId,
      row.workflowId,
      row.versionId,
      row.judge,
      row.path,
      row.confidence,
      row.correct ? 1 : 0,
      row.startedAt,
    ])
  }

  /** Of one AI step, over all versions of the file in which it decided in the same way. */
  tally(workflowId: number, judge: string): Tally {
    const sql = `SELECT count(*) AS marks, coalesce(sum(correct), 0) AS right FROM judged
      WHERE workflow_id = ? AND judge = ?`
    return this.#connection.get<Tally>(sql, [workflowId, judge]) ?? { marks: 0, right: 0 }
  }

  /** Of each AI step in each version of a workflow. */
  tallies(workflowId: number): (Tally & { versionId: number; path: string })[] {
    return this.#connection.all(
      `SELECT version_id AS versionId, path, count(*) AS marks, sum(correct) AS right FROM judged
       WHERE workflow_id = ? GROUP BY version_id, path ORDER BY version_id, path`,
      [workflowId],
    )
  }

  /** How sure an AI step was and whether it was right, newest first. */
  pairs(workflowId: number, judge: string, limit: number): { confidence: number; right: boolean }[] {
    return this.#connection
      .all<{ confidence: number; correct: number }>(
        `SELECT confidence, correct FROM judged WHERE workflow_id = ? AND judge = ? AND confidence IS NOT NULL
         ORDER BY started_at DESC LIMIT ?`,
        [workflowId, judge, limit],
      )
      .map(({ confidence, correct }) => ({ confidence, right: correct === 1 }))
  }
}
