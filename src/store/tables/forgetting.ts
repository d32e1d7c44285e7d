import type { Connection } from '../connection.ts'
import { STEPS_PER_RUN, stepsOf } from './step-ids.ts'

/** What is written where a row has to stay and may not say any more what it was about. */
const GONE = 'Forgotten'

/** A run with all that its rows say, as they say it. */
export interface RunTexts {
  id: number
  cameraId: string | null
  startedAt: number
  /** Null: it is not over. */
  endedAt: number | null
  /** JSON and plain texts of its rows, a line each. */
  text: string
}

/** A row that belongs to no run, with what it says. */
export interface LooseText {
  id: number
  text: string
}

export interface EventText extends LooseText {
  eventId: string
  cameraId: string | null
  at: number
  receivedAt: number
}

export interface CaseText extends LooseText {
  cameraId: string | null
  startedAt: number
}

/** What went with some runs. */
export interface Erased {
  /** Of files that no row names any more. */
  hashes: string[]
  /** Cases that were made of them, or that had a picture of theirs. */
  cases: number
  /** Runs of which only the fact stays: a move of theirs, or a number that must not be given again. */
  kept: number
}

/** Where a text may stand that belongs to no run. `promises`: what is due for no run yet. */
export type Loose = 'notices' | 'audit' | 'promises'

const LOOSE: Readonly<Record<Loose, string>> = {
  notices: `SELECT id, concat_ws(char(10), title, body) AS text FROM notices WHERE run_id IS NULL AND id > ? ORDER BY id LIMIT ?`,
  audit: 'SELECT id, target AS text FROM audit WHERE id > ? ORDER BY id LIMIT ?',
  promises: `SELECT id, payload AS text FROM due WHERE step_id IS NULL AND payload IS NOT NULL AND id > ? ORDER BY id LIMIT ?`,
}

const TEXTS = `
SELECT id AS run, concat_ws(char(10), event, "values", correlation_id, chain, error) AS text
  FROM workflow_runs WHERE id BETWEEN ?1 AND ?2
UNION ALL SELECT id / ${STEPS_PER_RUN}, concat_ws(char(10), item, inputs, result, ai)
  FROM workflow_run_steps WHERE id BETWEEN ?1 * ${STEPS_PER_RUN} AND (?2 + 1) * ${STEPS_PER_RUN} - 1
UNION ALL SELECT step_id / ${STEPS_PER_RUN}, concat_ws(char(10), args_asked, result)
  FROM workflow_tool_calls WHERE step_id BETWEEN ?1 * ${STEPS_PER_RUN} AND (?2 + 1) * ${STEPS_PER_RUN} - 1
UNION ALL SELECT step_id / ${STEPS_PER_RUN}, payload
  FROM due WHERE step_id BETWEEN ?1 * ${STEPS_PER_RUN} AND (?2 + 1) * ${STEPS_PER_RUN} - 1
UNION ALL SELECT run_id, concat_ws(char(10), message, parts, replies, identity, answer)
  FROM workflow_approvals WHERE run_id BETWEEN ?1 AND ?2
UNION ALL SELECT run_id, params FROM intents WHERE run_id BETWEEN ?1 AND ?2
UNION ALL SELECT run_id, concat_ws(char(10), title, body) FROM notices WHERE run_id BETWEEN ?1 AND ?2
UNION ALL SELECT run_id, note FROM marks WHERE run_id BETWEEN ?1 AND ?2`

/**
 * What is to be forgotten goes from here, wherever it stands. Of a move the fact stays, without what it was about: by it
 * the box knows that it was made. A number that was seen outside is never given again, so the row that holds the highest
 * one stays empty.
 */
export class Forgetting {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Runs after `after`, by id. */
  runs(after: number, limit: number): RunTexts[] {
    const runs = this.#connection.all<Omit<RunTexts, 'text'>>(
      `SELECT id, camera_id AS cameraId, started_at AS startedAt, ended_at AS endedAt FROM workflow_runs
       WHERE id > ? ORDER BY id LIMIT ?`,
      [after, limit],
    )
    const [first, last] = [runs[0]?.id, runs.at(-1)?.id]
    if (first === undefined || last === undefined) return []
    const texts = new Map<number, string[]>()
    for (const { run, text } of this.#connection.all<{ run: number; text: string | null }>(TEXTS, [
      first,
      last,
    ]))
      if (text) texts.set(run, [...(texts.get(run) ?? []), text])
    return runs.map(run => ({ ...run, text: (texts.get(run.id) ?? []).join('\n') }))
  }

  /** What some runs have: pictures, clips, notices. */
  countsOf(ids: readonly number[]): { pictures: number; clips: number; notices: number } {
    const sum = { pictures: 0, clips: 0, notices: 0 }
    for (const id of ids) {
      const sql = `SELECT count(DISTINCT CASE WHEN type NOT LIKE 'video/%' THEN hash END) AS pictures,
        count(DISTINCT CASE WHEN type LIKE 'video/%' THEN hash END) AS clips,
        (SELECT count(*) FROM notices WHERE run_id = ?1) AS notices FROM media WHERE run_id = ?1 AND hash <> ''`
      const found = this.#connection.get<typeof sum>(sql, [id])
      for (const what of ['pictures', 'clips', 'notices'] as const) sum[what] += found?.[what] ?? 0
    }
    return sum
  }

  /**
   * Runs that are over, with everything that hangs on them. A picture of theirs goes from other runs too: it shows what
   * it shows, whatever they made of it.
   */
  erase(ids: readonly number[]): Erased {
    const erased: Erased = { hashes: [], cases: 0, kept: 0 }
    for (const id of ids) {
      const steps = stepsOf(id)
      const hashes = this.#connection
        .all<{ hash: string }>("SELECT DISTINCT hash FROM media WHERE run_id = ? AND hash <> ''", [id])
        .map(({ hash }) => hash)
      const cases = this.#connection.all<{ id: number }>('SELECT id FROM cases WHERE run_id = ?', [id])
      const before = this.#caseCount()
      for (const hash of hashes) this.#picture(hash, erased.hashes)
      for (const each of cases) erased.hashes.push(...this.eraseCase(each.id))
      erased.cases += before - this.#caseCount()
      this.#change('DELETE FROM workflow_tool_calls WHERE step_id BETWEEN ? AND ?', steps)
      this.#change('DELETE FROM due WHERE step_id BETWEEN ? AND ?', steps)
      for (const table of ['marks', 'workflow_approvals'])
        this.#change(`DELETE FROM ${table} WHERE run_id = ?`, [id])
      const stays = this.#notices(id)
      if (stays || this.#isNeeded(id)) {
        this.#blank(id, steps)
        erased.kept++
      } else {
        for (const table of ['media', 'intents']) this.#change(`DELETE FROM ${table} WHERE run_id = ?`, [id])
        this.#change('DELETE FROM workflow_run_steps WHERE id BETWEEN ? AND ?', steps)
        this.#change('DELETE FROM workflow_runs WHERE id = ?', [id])
      }
    }
    return erased
  }

  /** Cases after `after`, by id. */
  cases(after: number, limit: number): CaseText[] {
    return this.#connection.all(
      `SELECT id, camera_id AS cameraId, started_at AS startedAt,
       concat_ws(char(10), event, judged, expected, note, decision, reason) AS text FROM cases
       WHERE id > ? ORDER BY id LIMIT ?`,
      [after, limit],
    )
  }

  /** A case with its pictures, which go from wherever else they are; answers with their hashes. */
  eraseCase(id: number): string[] {
    const hashes: string[] = []
    const sql = 'SELECT DISTINCT hash FROM case_pictures WHERE case_id = ?'
    const pictures = this.#connection.all<{ hash: string }>(sql, [id])
    this.#change('DELETE FROM case_pictures WHERE case_id = ?', [id])
    this.#change('DELETE FROM cases WHERE id = ?', [id])
    for (const { hash } of pictures) this.#picture(hash, hashes)
    return hashes
  }

  /** Events after `after`, by id. */
  events(after: number, limit: number): EventText[] {
    return this.#connection.all(
      `SELECT id, event_id AS eventId, camera_id AS cameraId, at, received_at AS receivedAt,
       concat_ws(char(10), event_id, payload) AS text FROM events WHERE id > ? ORDER BY id LIMIT ?`,
      [after, limit],
    )
  }

  /** `seen`: it stays known that it came, and nothing of what it said. */
  forgetEvent(id: number, seen: boolean): void {
    if (seen) this.#change('UPDATE events SET payload = NULL, camera_id = NULL WHERE id = ?', [id])
    else this.#change('DELETE FROM events WHERE id = ?', [id])
  }

  loose(where: Loose, after: number, limit: number): LooseText[] {
    return this.#connection.all(LOOSE[where], [after, limit])
  }

  /** `said`: of an entry of the audit, what it says from now on: entries stay. */
  forgetLoose(where: Loose, id: number, said: string): void {
    if (where === 'audit') this.#change('UPDATE audit SET target = ? WHERE id = ?', [said, id])
    else if (where === 'promises') this.#change('DELETE FROM due WHERE id = ?', [id])
    else if (!this.#isNewest('notices', id)) this.#change('DELETE FROM notices WHERE id = ?', [id])
    else this.#change("UPDATE notices SET title = ?, body = '' WHERE id = ?", [GONE, id])
  }

  /** What people wrote and keep: the files of workflows in force, and the rules set on the box. */
  written(): { workflows: { name: string; text: string }[]; rules: string[] } {
    return {
      workflows: this.#connection.all(
        `SELECT w.name, group_concat(v.yaml, char(10)) AS text FROM workflow_versions v
         JOIN workflows w ON w.id = v.workflow_id GROUP BY w.id ORDER BY w.name`,
      ),
      rules: this.#connection
        .all<{ text: string }>(
          `SELECT concat_ws(char(10), rules, facts) AS text FROM site_rules_versions
           WHERE rules IS NOT NULL OR facts IS NOT NULL`,
        )
        .map(({ text }) => text),
    }
  }

  /** A row for a message of a move stays as long as somebody has to say whether that was made. */
  #notices(run: number): boolean {
    const unsettled = `step_id IN (SELECT step_id FROM intents WHERE run_id = ?1 AND status = 'unknown')`
    const newest = 'id = (SELECT max(id) FROM notices)'
    this.#change(
      `DELETE FROM notices WHERE run_id = ?1 AND NOT coalesce(${unsettled}, 0) AND NOT ${newest}`,
      [run],
    )
    const sql = `UPDATE notices SET body = '', media_id = NULL, title = CASE WHEN coalesce(${unsettled}, 0)
      THEN 'A move of which nobody knows whether it happened' ELSE '${GONE}' END WHERE run_id = ?1`
    return this.#change(sql, [run]) > 0
  }

  /** It moved something, or its row or one of its pictures bears the highest number. */
  #isNeeded(run: number): boolean {
    const sql = `SELECT 1 WHERE EXISTS (SELECT 1 FROM intents WHERE run_id = ?1) OR EXISTS
      (SELECT 1 FROM media WHERE run_id = ?1)`
    return this.#isNewest('workflow_runs', run) || this.#connection.get(sql, [run]) !== null
  }

  #blank(run: number, steps: [number, number]): void {
    this.#change(
      `UPDATE workflow_runs SET event = NULL, "values" = NULL, chain = NULL, correlation_id = NULL, taint = NULL,
       error = NULL WHERE id = ?`,
      [run],
    )
    this.#change(
      `DELETE FROM workflow_run_steps WHERE id BETWEEN ? AND ? AND id NOT IN (SELECT step_id FROM intents WHERE run_id = ?)`,
      [...steps, run],
    )
    this.#change(
      'UPDATE workflow_run_steps SET item = NULL, inputs = NULL, result = NULL, ai = NULL WHERE id BETWEEN ? AND ?',
      steps,
    )
    this.#change('UPDATE intents SET params = NULL WHERE run_id = ?', [run])
  }

  #caseCount(): number {
    return this.#connection.get<{ n: number }>('SELECT count(*) AS n FROM cases')?.n ?? 0
  }

  /** Out of every run that has it; a case that has it goes, for it would be another one without. `hashes`: what went. */
  #picture(hash: string, hashes: string[]): void {
    hashes.push(hash)
    const rows = this.#connection.all<{ id: number; run: number }>(
      'SELECT id, run_id AS run FROM media WHERE hash = ?',
      [hash],
    )
    for (const { id, run } of rows) {
      this.#change('UPDATE notices SET media_id = NULL WHERE media_id = ? AND run_id = ?', [id, run])
      this.#change(
        `UPDATE workflow_approvals SET media =
         (SELECT nullif(json_group_array(value), '[]') FROM json_each(media) WHERE value <> ?1)
         WHERE run_id = ?2 AND media IS NOT NULL`,
        [id, run],
      )
      if (!this.#isNewest('media', id)) this.#change('DELETE FROM media WHERE id = ?', [id])
      else
        this.#change("UPDATE media SET hash = '', bytes = 0, source = '', taken_at = NULL WHERE id = ?", [id])
    }
    const cases = this.#connection.all<{ id: number }>(
      'SELECT DISTINCT case_id AS id FROM case_pictures WHERE hash = ?',
      [hash],
    )
    for (const { id } of cases) hashes.push(...this.eraseCase(id))
  }

  #isNewest(table: 'workflow_runs' | 'notices' | 'media', id: number): boolean {
    return this.#connection.get<{ id: number }>(`SELECT max(id) AS id FROM ${table}`)?.id === id
  }

  #change(sql: string, params: (string | number)[]): number {
    return this.#connection.change(sql, params).changes
  }
}
