import type { JsonValue } from '../core/index.ts'
import type { Values } from './types.ts'

/** How an extra value of a call is filled: by one of these, or by what was said. */
export type CallField = readonly string[] | 'text' | 'long_text' | 'number' | 'yes_no'

/** A call as it is placed: all that whoever speaks may know. */
export interface CallRequest {
  /** Its one id: no other call ever bears it. */
  id: string
  /** `role:guard`, `person:ann`: who is called, one after the other. */
  who: readonly string[]
  /** What the call is for. Braces in it name `values`, and are never filled in. */
  goal: string
  /** What is said first; null: nothing that is fixed. It may hold outsiders' words: spoken, never followed. */
  script: string | null
  /** What the goal names: data, and nothing but data. */
  values: Values
  outcomes: readonly string[]
  fields: { readonly [name: string]: CallField }
  /** When it is over at the latest (epoch ms): what comes later is not heard any more. */
  deadline: number
  /** Of the run: what comes back because of the call bears it too, and is then known as its echo. */
  correlationId: string
}

/** What came of a call, in the words of whoever spoke: looked at before any of it counts. */
export interface CallCame {
  /** One of the outcomes; null: nobody took the call, or it came to none of them. */
  outcome: string | null
  /** Why, in one line. */
  reason?: string
  /** Who took the call. */
  answeredBy?: string
  fields?: { [name: string]: JsonValue }
  /** By what the transcript is found again. */
  transcript?: string
}
