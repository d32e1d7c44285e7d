import type { JsonValue } from '../../core/index.ts'
import type { Connection } from '../connection.ts'
import { toList, toText } from '../json.ts'
import type { ApprovalReply, ApprovalRow } from '../rows.ts'

const COLUMNS = `id, run_id AS runId, step_id AS stepId, who, message, parts, replies, default_reply AS defaultReply,
  identity, media, status, answer, answered_by AS answeredBy, identified_by AS identifiedBy,
  seen_again AS seenAgain, asked_at AS askedAt, deadline, decided_at AS decidedAt`

type JsonColumn = 'who' | 'parts' | 'replies' | 'media'
type Raw = Omit<ApprovalRow, JsonColumn> & Record<JsonColumn, string | null>

/** A question as it is asked: open, and answered by nobody. */
export type NewApproval = Omit<
  ApprovalRow,
  'id' | 'status' | 'answer' | 'answeredBy' | 'identifiedBy' | 'seenAgain' | 'decidedAt'
>

/** How a question was decided. */
export type ApprovalEnd =
  | { status: 'answered'; answer: string; answeredBy: string; identifiedBy: string }
  /** The default counts as the answer of nobody. */
  | { status: 'expired'; answer: string | null }
  | { status: 'stopped' }

/** Questions to people, each with who decided it. */
export class Approvals {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  ask(row: NewApproval): number {
    return this.#connection.change(
      `INSERT INTO workflow_approvals (run_id, step_id, who, message, parts, replies, default_reply, identity, media,
       status, asked_at, deadline) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', ?, ?)`,
      [
        row.runId,
        row.stepId,
        toText(row.who),
        row.message,
        toText(row.parts as unknown as JsonValue),
        JSON.stringify(row.replies),
        row.defaultReply,
        row.identity,
        row.media.length ? toText(row.media) : null,
        row.askedAt,
        row.deadline,
      ],
    ).id
  }

  /**
   * Decides an open question; false if it is decided already (the first decision stands), or if an answer comes
   * after the deadline. `at`: epoch ms.
   */
  decide(id: number, end: ApprovalEnd, at: number): boolean {
    const answered = end.status === 'answered'
    const late = answered ? ' AND deadline > ?' : ''
    const sql = `UPDATE workflow_approvals SET status = ?, answer = ?, answered_by = ?, identified_by = ?,
      decided_at = ? WHERE id = ? AND status = 'open'${late}`
    const { changes } = this.#connection.change(sql, [
      end.status,
      end.status === 'stopped' ? null : end.answer,
      answered ? end.answeredBy : null,
      answered ? end.identifiedBy : null,
      at,
      id,
      ...(answered ? [at] : []),
    ])
    return changes > 0
  }

  /** Counts a repeat of the trigger that joined this question; false if it is decided already. */
  seenAgain(id: number): boolean {
    const sql = "UPDATE workflow_approvals SET seen_again = seen_again + 1 WHERE id = ? AND status = 'open'"
    return this.#connection.change(sql, [id]).changes > 0
  }

  get(id: number): ApprovalRow | null {
    return this.#one('id = ?', id)
  }

  /** The latest of a step: one that investigates may ask more than once. */
  ofStep(stepId: number): ApprovalRow | null {
    return this.#all('WHERE step_id = ? ORDER BY id DESC LIMIT 1', stepId)[0] ?? null
  }

  /** The question that a run waits for. */
  openOf(runId: number): ApprovalRow | null {
    return this.#one("run_id = ? AND status = 'open'", runId)
  }

  /** Every open one, the most urgent first. */
  open(limit: number): ApprovalRow[] {
    return this.#all("WHERE status = 'open' ORDER BY deadline, id LIMIT ?", limit)
  }

  /** Those behind `after`, oldest first. */
  following(after: number, limit: number): { id: number; askedAt: number }[] {
    const sql = 'SELECT id, asked_at AS askedAt FROM workflow_approvals WHERE id > ? ORDER BY id LIMIT ?'
    return this.#connection.all(sql, [after, limit])
  }

  /** The id of the newest; 0: there is none. */
  last(): number {
    return (
      this.#connection.get<{ id: number | null }>('SELECT max(id) AS id FROM workflow_approvals')?.id ?? 0
    )
  }

  /** How many are open. */
  countOpen(): number {
    const sql = "SELECT count(*) AS n FROM workflow_approvals WHERE status = 'open'"
    return this.#connection.get<{ n: number }>(sql, [])?.n ?? 0
  }

  /** Those that are decided, the newest question first. */
  decided(limit: number): ApprovalRow[] {
    return this.#all("WHERE status <> 'open' ORDER BY id DESC LIMIT ?", limit)
  }

  #one(where: string, value: number): ApprovalRow | null {
    return this.#all(`WHERE ${where} LIMIT 1`, value)[0] ?? null
  }

  #all(rest: string, value: number): ApprovalRow[] {
    return this.#connection.all<Raw>(`SELECT ${COLUMNS} FROM workflow_approvals ${rest}`, [value]).map(toRow)
  }
}

function toRow(raw: Raw): ApprovalRow {
  return {
    ...raw,
    who: toList<string>(raw.who, {}),
    parts: toList<ApprovalRow['parts'][number]>(raw.parts, {}),
    replies: toList<ApprovalReply>(raw.replies, {}),
    media: toList<number>(raw.media, {}),
  }
}
