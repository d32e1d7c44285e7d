import { plainText } from '../contract/index.ts'
import { cut, type JsonValue, messageOf } from '../core/index.ts'
import type { CallCame, CallField, CallRequest } from '../kinds/index.ts'
import type { DueRow, JsonObject, StepRow, Store } from '../store/index.ts'
import { isObject } from './json.ts'

/** The kind of step, and of the `due` row that rings when its time is up. */
export const CALL = 'call'
/** As much as is kept of what was said. */
const LONGEST = { name: 100, reason: 300, transcript: 200, text: 200, long_text: 1_500 }
/** No number that somebody says is greater. */
const GREATEST = 1e9

/** What came of a call, as its `due` row keeps it until the run goes on. The first that is written counts. */
export type Came =
  | {
      outcome: string
      answered_by: string
      transcript: string | null
      fields: JsonObject
      reason: string | null
    }
  /** Nothing: the run takes `no_answer`. */
  | { code: string; message: string }

/** The row that a call rings with; null: it is over. */
export function dueOfCall({ id, runId }: Pick<StepRow, 'id' | 'runId'>, { due }: Store): DueRow | null {
  return due.ofRun(runId).find(({ stepId }) => stepId === id) ?? null
}

/** Of the call that a run waits for: what it is about, so that a repeat of that joins it; null: there is none. */
export function calledAbout(runId: number, { due }: Store): string | null {
  const row = due.ofRun(runId).find(({ kind }) => kind === CALL)
  const { identity } = row && isObject(row.payload) ? row.payload : {}
  return typeof identity === 'string' ? identity : null
}

/** What came of a call; null: nothing yet. */
export function cameIn(row: DueRow | null): Came | null {
  return row && isObject(row.payload) && isObject(row.payload.came)
    ? (row.payload.came as unknown as Came)
    : null
}

/** Writes what came of a call and has its run go on; false: that is settled. Inside of a commit. */
export function settleCall(row: DueRow | null, came: Came, now: number, { due }: Store): boolean {
  if (!row || cameIn(row)) return false
  const kept = isObject(row.payload) ? row.payload : {}
  return due.move(row.id, Math.min(row.at, now), { ...kept, came: came as unknown as JsonValue })
}

/** What whoever called says, held against what was asked. A field that is none is not known. */
export function readCame(
  said: CallCame,
  { outcomes, fields }: Pick<CallRequest, 'outcomes' | 'fields'>,
): Came {
  const { outcome, reason, answeredBy, transcript, fields: told } = objectOf(said)
  const why = line(reason, LONGEST.reason)
  if (outcome === null || outcome === undefined) return nothing(why || 'Nobody took the call.')
  if (typeof outcome !== 'string' || !outcomes.includes(outcome))
    return nothing('It came to something that is none of the outcomes.')
  const given = objectOf(told)
  return {
    outcome,
    answered_by: line(answeredBy, LONGEST.name),
    transcript: line(transcript, LONGEST.transcript) || null,
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [
        name,
        Object.hasOwn(given, name) ? fieldOf(field, given[name]) : null,
      ]),
    ),
    reason: why || null,
  }
}

/** It could not be placed, or broke off. */
export function brokenOff(error: unknown): Came {
  return { code: 'call_failed', message: line(messageOf(error), LONGEST.reason) || 'It broke off.' }
}

function nothing(message: string): Came {
  return { code: 'no_answer', message }
}

/** What comes from outside may be anything. */
function objectOf(value: unknown): { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null ? (value as { [key: string]: unknown }) : {}
}

function fieldOf(field: CallField, value: unknown): JsonValue {
  if (field === 'yes_no') return typeof value === 'boolean' ? value : null
  if (field === 'number') return typeof value === 'number' && Math.abs(value) <= GREATEST ? value : null
  if (field === 'text') return line(value, LONGEST.text) || null
  if (field === 'long_text') return plain(value, LONGEST.long_text).trim() || null
  return typeof value === 'string' && field.includes(value) ? value : null
}

function line(value: unknown, longest: number): string {
  return plain(value, longest).replace(/\s+/gu, ' ').trim()
}

/** Cut first: what comes from outside has no end of its own. */
function plain(value: unknown, longest: number): string {
  return typeof value === 'string' ? plainText(cut(value, longest)) : ''
}
