import type { JsonValue } from '../core/index.ts'
import { isObject } from './json.ts'

/** Ways to be identified that let a reply move something. A bare MQTT button or what a model heard is none. */
const IDENTIFYING: ReadonlySet<string> = new Set(['session', 'token', 'loopback', 'link', 'keypad'])

/** An explicit answer, as the result of its step keeps it. */
export interface Answered {
  answer: string
  by: string
  /** How they were identified. */
  how: string
  /** Epoch ms. */
  at: number
  /** Places of the steps that stood beside the reply as moves. */
  stated: string[]
  /** How late the run was before it asked, ms: an answer does not answer for that. */
  lateMs: number
}

/** Whether somebody who came that way is known well enough to let something move. */
export function identifies(how: string, name: string): boolean {
  return IDENTIFYING.has(how) && name.trim() !== ''
}

/** An answer as the result of its step. `approval`: row id of the question. */
export function resultOf({ answer, by, how, at, stated, lateMs }: Answered, approval: number): JsonValue {
  return {
    answer,
    answered_by: by,
    identified_by: how,
    answered_at: new Date(at).toISOString(),
    approval,
    stated,
    late_ms: lateMs,
  }
}

/** Null where nobody answered. */
export function answeredIn(result: JsonValue | undefined): Answered | null {
  if (!isObject(result)) return null
  const { answer, answered_by: by, identified_by: how, answered_at: at, stated, late_ms: lateMs } = result
  if (typeof answer !== 'string' || typeof by !== 'string' || typeof how !== 'string') return null
  return {
    answer,
    by,
    how,
    at: Date.parse(String(at)),
    stated: Array.isArray(stated) ? stated.map(String) : [],
    lateMs: typeof lateMs === 'number' ? lateMs : 0,
  }
}
