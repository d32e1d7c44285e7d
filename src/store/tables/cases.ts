import type { Connection } from '../connection.ts'
import { type MayBeBroken, toObject } from '../json.ts'
import type { CasePictureRow, CaseResult, CaseRow } from '../rows-cases.ts'

const COLUMNS = `id, workflow_id AS workflowId, run_id AS runId, camera_id AS cameraId, event, judged,
  started_at AS startedAt, expected, note, author, at, decision, reason, judges, version, tried_at AS triedAt, solved`
const PICTURE = `id, case_id AS caseId, hash, type, bytes, source, taken_at AS takenAt, shot_at AS shotAt`

type Raw = Omit<CaseRow, 'event' | 'judged' | 'solved'> & { event: string; judged: string; solved: number }
export type NewCase = Omit<CaseRow, 'id'>
export type NewPicture = Omit<CasePictureRow, 'id' | 'caseId'>

/** The cases of workflows, each with its pictures. Rows; the bytes are in `MediaFiles`. */
export class Cases {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  add(row: NewCase, pictures: readonly NewPicture[]): number {
    const { id } = this.#connection.change(
      `INSERT INTO cases (workflow_id, run_id, camera_id, event, judged, started_at, expected, note, author, at,
       decision, reason, judges, version, tried_at, solved) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        row.workflowId,
        row.runId,
        row.cameraId,
        JSON.stringify(row.event),
        JSON.stringify(row.judged),
        row.startedAt,
        row.expected,
        row.note,
        row.author,
        row.at,
        row.decision,
        row.reason,
        row.judges,
        row.version,
        row.triedAt,
        row.solved ? 1 : 0,
      ],
    )
    for (const { hash, type, bytes, source, takenAt, shotAt } of pictures)
      this.#connection.change(
        `INSERT INTO case_pictures (case_id, hash, type, bytes, source, taken_at, shot_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        [id, hash, type, bytes, source, takenAt, shotAt],
      )
    return id
  }

  /** What came of it counts as before: it is another answer that is right. */
  answer(id: number, row: Pick<CaseRow, 'expected' | 'note' | 'author' | 'at' | 'solved'>): void {
    this.#connection.change(
      'UPDATE cases SET expected = ?, note = ?, author = ?, at = ?, solved = ? WHERE id = ?',
      [row.expected, row.note, row.author, row.at, row.solved ? 1 : 0, id],
    )
  }

  came(id: number, { decision, reason, judges, version, triedAt, solved }: CaseResult): void {
    this.#connection.change(
      `UPDATE cases SET decision = ?, reason = ?, judges = ?, version = ?, tried_at = ?, solved = max(solved, ?)
       WHERE id = ?`,
      [decision, reason, judges, version, triedAt, solved ? 1 : 0, id],
    )
  }

  /** Newest first. */
  ofWorkflow(workflowId: number): CaseRow[] {
    return this.#connection
      .all<Raw>(`SELECT ${COLUMNS} FROM cases WHERE workflow_id = ? ORDER BY id DESC`, [workflowId])
      .map(row)
  }

  countOf(workflowId: number): number {
    const sql = 'SELECT count(*) AS n FROM cases WHERE workflow_id = ?'
    return this.#connection.get<{ n: number }>(sql, [workflowId])?.n ?? 0
  }

  get(workflowId: number, id: number): CaseRow | null {
    const sql = `SELECT ${COLUMNS} FROM cases WHERE workflow_id = ? AND id = ?`
    const raw = this.#connection.get<Raw>(sql, [workflowId, id])
    return raw && row(raw)
  }

  ofRun(workflowId: number, runId: number): CaseRow | null {
    const sql = `SELECT ${COLUMNS} FROM cases WHERE workflow_id = ? AND run_id = ?`
    const raw = this.#connection.get<Raw>(sql, [workflowId, runId])
    return raw && row(raw)
  }

  pictures(caseId: number): CasePictureRow[] {
    return this.#connection.all(`SELECT ${PICTURE} FROM case_pictures WHERE case_id = ? ORDER BY id`, [
      caseId,
    ])
  }

  /** Of a workflow that goes: nobody could look at them, or take them away, any more. */
  removeAll(workflowId: number): void {
    for (const { id } of this.ofWorkflow(workflowId)) this.remove(id)
  }

  remove(id: number): void {
    this.#connection.change('DELETE FROM case_pictures WHERE case_id = ?', [id])
    this.#connection.change('DELETE FROM cases WHERE id = ?', [id])
  }
}

function row({ solved, event, judged, ...raw }: Raw): CaseRow {
  const broken: MayBeBroken = {}
  return {
    ...raw,
    event: toObject(event, broken),
    judged: toObject(judged, broken),
    solved: solved === 1,
  }
}
