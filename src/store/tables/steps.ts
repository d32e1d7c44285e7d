import type { JsonValue } from '../../core/index.ts'
import type { Connection } from '../connection.ts'
import { toText, toValue } from '../json.ts'
import type { JsonObject, StepRow, StepStatus } from '../rows.ts'
import { STEPS_PER_RUN, stepsOf } from './step-ids.ts'

const COLUMNS = `id, path, kind, name, item, status, outcome, inputs, result, ai, started_at AS startedAt,
  ended_at AS endedAt`

type Raw = Omit<StepRow, 'runId' | 'seq' | 'inputs' | 'result' | 'ai'> &
  Record<'inputs' | 'result' | 'ai', string | null>

/** A step as it begins; `ended` in the same breath for one that needs no row before it happens. */
export type NewStep = Omit<
  StepRow,
  'id' | 'item' | 'status' | 'outcome' | 'result' | 'ai' | 'endedAt' | 'broken'
> &
  Partial<Pick<StepRow, 'item' | 'status' | 'outcome' | 'result' | 'ai' | 'endedAt'>>

/** How a step came out. `endedAt` null while it waits. */
export interface StepEnd {
  status: StepStatus
  outcome?: string | null
  result?: JsonValue
  ai?: JsonObject | null
  endedAt: number | null
}

/** The steps of runs. What a step begins with is written before it happens, how it ended after that. */
export class Steps {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Throws if the run has a step of that `seq`, or if `seq` is out of range. */
  start(row: NewStep): number {
    const id = row.runId * STEPS_PER_RUN + row.seq
    if (!(row.seq >= 0 && row.seq < STEPS_PER_RUN) || !Number.isSafeInteger(id)) {
      throw new RangeError(`step ${row.seq} of run ${row.runId} is out of range`)
    }
    const sql = `INSERT INTO workflow_run_steps (id, path, kind, name, item, status, outcome, inputs, result, ai,
      started_at, ended_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
    this.#connection.change(sql, [
      id,
      row.path,
      row.kind,
      row.name,
      row.item ?? null,
      row.status ?? 'running',
      row.outcome ?? null,
      toText(row.inputs),
      toText(row.result ?? null),
      toText(row.ai ?? null),
      row.startedAt,
      row.endedAt ?? null,
    ])
    return id
  }

  /** Replaces status, outcome, result, ai and end of a step. Returns false if there is no such step. */
  end(id: number, end: StepEnd): boolean {
    const sql =
      'UPDATE workflow_run_steps SET status = ?, outcome = ?, result = ?, ai = ?, ended_at = ? WHERE id = ?'
    const { changes } = this.#connection.change(sql, [
      end.status,
      end.outcome ?? null,
      toText(end.result ?? null),
      toText(end.ai ?? null),
      end.endedAt,
      id,
    ])
    return changes > 0
  }

  /** The id of a run's step of that number. */
  idOf(runId: number, seq: number): number {
    return runId * STEPS_PER_RUN + seq
  }

  /** A step's number in its run, out of its id. */
  seqOf(id: number): number {
    return id % STEPS_PER_RUN
  }

  get(id: number): StepRow | null {
    const raw = this.#connection.get<Raw>(`SELECT ${COLUMNS} FROM workflow_run_steps WHERE id = ?`, [id])
    return raw && toRow(raw)
  }

  /** The last one that has decided something, however many came after it. */
  lastJudged(runId: number): StepRow | null {
    const sql = `SELECT ${COLUMNS} FROM workflow_run_steps WHERE id BETWEEN ? AND ? AND ai IS NOT NULL
      ORDER BY id DESC LIMIT 1`
    const raw = this.#connection.get<Raw>(sql, stepsOf(runId))
    return raw && toRow(raw)
  }

  /** Those that failed, the last ones first. */
  lastFailed(runId: number, limit: number): StepRow[] {
    const sql = `SELECT ${COLUMNS} FROM workflow_run_steps WHERE id BETWEEN ? AND ? AND status = 'failed'
      ORDER BY id DESC LIMIT ?`
    return this.#connection.all<Raw>(sql, [...stepsOf(runId), limit]).map(toRow)
  }

  /** Those of a kind behind the one of that `seq` (-1: all), in the order in which they began. */
  ofKind(runId: number, kind: string, { after, limit }: { after: number; limit: number }): StepRow[] {
    const [least, greatest] = stepsOf(runId)
    const sql = `SELECT ${COLUMNS} FROM workflow_run_steps WHERE id BETWEEN ? AND ? AND kind = ?
      ORDER BY id LIMIT ?`
    const from = Math.min(least + after + 1, greatest + 1)
    return this.#connection.all<Raw>(sql, [from, greatest, kind, limit]).map(toRow)
  }

  /** In the order in which they began. */
  ofRun(runId: number): StepRow[] {
    const sql = `SELECT ${COLUMNS} FROM workflow_run_steps WHERE id BETWEEN ? AND ? ORDER BY id`
    return this.#connection.all<Raw>(sql, stepsOf(runId)).map(toRow)
  }
}

function toRow(raw: Raw): StepRow {
  const inputs = toValue(raw.inputs, raw)
  const result = toValue(raw.result, raw)
  const ai = toValue(raw.ai, raw) as JsonObject | null
  return {
    ...raw,
    runId: Math.floor(raw.id / STEPS_PER_RUN),
    seq: raw.id % STEPS_PER_RUN,
    inputs,
    result,
    ai,
  }
}
