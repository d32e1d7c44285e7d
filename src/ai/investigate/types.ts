import type { JsonValue, Picture } from '../../core/index.ts'
import type { Seen } from '../../vision/index.ts'
import type { Question, ToolBox } from '../tools.ts'
import type { AskedSpec, DecisionRule, TraceEntry } from '../types.ts'

/** What one investigation may take. What it waits for people is not counted. */
export interface InvestigateLimits {
  /** Calls of tools. */
  toolCalls: number
  /** From its beginning to its decision, ms. */
  ms: number
  /** Calls of the model, the decision included. */
  modelCalls: number
  /** Of all conversations together, read and written. */
  tokens: number
}

export interface InvestigateSpec {
  /** What is to be found out, in the author's words; what stands in it in braces names values. */
  goal: string
  instructions: string | null
  options: string[]
  fields: { [name: string]: AskedSpec }
  /** The least confidence that counts (`sure`); null: no floor. */
  floor: number | null
  rules: DecisionRule[] | null
  limits: InvestigateLimits
}

/** Data for the model, and nothing else. */
export interface InvestigateInput {
  /** What the site's owner wrote about it. */
  facts: string
  /** What the site's clock shows, with the day of the week; absent: nobody knows. */
  clock?: string
  /** Values of the run: what the trigger already carries can fill a field of the same name. */
  values: { readonly [name: string]: JsonValue }
  event: JsonValue
  /** Earlier decisions, one line each. */
  memory: readonly string[]
}

/** What an investigation works with. */
export interface InvestigatePorts {
  tools: ToolBox
  now(): number
  /** As of a `Clock`. */
  after(ms: number, callback: () => void): () => void
  signal?: AbortSignal
  /** One more call of the model, out of what the site allows in an hour; false: there is none left. */
  takeCall(): boolean
  /** Hears of each call and of each thing refused as it happens; the next one begins when this has resolved. */
  onTrace?(entry: TraceEntry): void | Promise<void>
  /** A picture that a tool gave before a restart; null: it is gone. */
  picture?(ref: number): Promise<Picture | null>
}

/** Waits for a person. */
export interface Suspended {
  suspended: Question
  /** Plain JSON: what `resume` goes on from, in another process too. */
  state: JsonValue
}

/** What came of a question. */
export interface Answer {
  /** One of the replies; null: nobody answered. */
  answer: string | null
  /** Nobody was asked, because nothing is done for real. */
  test?: boolean
}

/** One turn with a tool, as the model is shown it. */
export interface Turn {
  /** Null: no call was understood. */
  call: { tool: string; args: JsonValue } | null
  status: 'ok' | 'failed' | 'refused'
  result: JsonValue
  /** References of its pictures. */
  pictures: (number | null)[]
  /** Characters that it may be shown in; absent: as ever. It stays the same, so that what was read is remembered. */
  room?: number
}

/** Where an investigation stands. */
export interface State {
  v: 1
  spec: InvestigateSpec
  input: InvestigateInput
  turns: Turn[]
  used: { toolCalls: number; modelCalls: number; tokens: number; ms: number; questions: number }
  /** Tokens of the conversation when it was last read. */
  lastTokens: number
  malformed: number
  repeats: number
  /** Tools whose last call failed. */
  failed: string[]
  /** A picture that was there before a restart is gone. */
  lostPicture: boolean
  /** What a person is asked for; null: nobody is. */
  pending: { tool: string; args: { [name: string]: JsonValue }; allows: boolean } | null
  seen: { ref: number | null; seen: Seen }[]
  trace: TraceEntry[]
}
