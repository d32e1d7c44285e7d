import type { JsonValue, Picture } from '../core/index.ts'
import type { Measured, MeasuredSpec, Seen, Vision } from '../vision/index.ts'
import type { LanguageModel } from './language.ts'

export type UnsureReason =
  | 'below_floor'
  | 'llm_down'
  | 'over_budget'
  | 'invalid_output'
  | 'no_rule'
  | 'stale_picture'
  | 'no_picture'
  | 'vision_down'

export type ConfidenceSource = 'measured' | 'likelihood' | 'agreement' | 'evidence'

export type FieldValue = string | number | boolean | null

/** Asked of a model: one of the listed texts, or a free value of a type. */
export type AskedSpec = { ask: string[] } | { ask: 'text' | 'long_text' | 'number' | 'yes_no' }

export type FieldSpec = MeasuredSpec | AskedSpec

/** A value, a list of values, or a comparison: as `matches` of the contract reads it. */
export type FieldMatcher = JsonValue

export interface DecisionRule {
  /** Absent: matches always. */
  when?: { [field: string]: FieldMatcher }
  then: string
}

export interface DecisionSpec {
  options: string[]
  prompt: string
  fields: { [name: string]: FieldSpec }
  /** The least confidence that counts (`sure`); null: no floor. */
  floor: number | null
  rules: DecisionRule[] | null
  /** Oldest picture that may be judged, ms. */
  maxAgeMs: number
}

export interface LookInput {
  pictures: readonly Picture[]
  /** Values of the run: what the trigger already carries can fill an asked field of the same name. */
  values: { readonly [name: string]: JsonValue }
  /** The site's facts, data for a model. */
  facts: string
  /** What the site's clock shows, with the day of the week; absent: nobody knows. */
  clock?: string
  /** A text that is judged instead of pictures: data for a model. */
  text: string | null
  /** An event that is judged instead of pictures; null or absent: none is. */
  event?: JsonValue
}

/** One call of a model or a tool, as the trace records it: what ran, whatever the model says of it. */
export interface TraceEntry {
  kind: 'model' | 'tool'
  name: string
  startedAt: number
  ms: number
  result: JsonValue
  status: 'ok' | 'failed' | 'refused' | 'suspended'
  /** Of a tool: the arguments as they were asked. */
  argsAsked?: JsonValue
  /** Of a tool: how it might be used. */
  mode?: string
  /** Of a language model; absent where nothing is known of them. */
  tokensIn?: number
  tokensOut?: number
}

/** What a step took, all its calls together. */
export interface Usage {
  modelCalls: number
  /** Calls of tools; absent: there were none to call. */
  toolCalls?: number
  ms: number
  tokensIn: number
  tokensOut: number
}

export interface Decision {
  /** One of the options, or `unsure`. */
  decision: string
  fields: { [name: string]: FieldValue }
  /** One line for people. */
  reason: string
  confidence: number | null
  confidenceSource: ConfidenceSource | null
  selfReported: number | null
  unsureReason: UnsureReason | null
  /** Index of the rule that fired. */
  rule: number | null
  /** `ref`: by which whoever gave the picture knows it; absent: by its index. */
  evidence: { pictures: { index: number; seen: Seen; ref?: number | null }[] }
  trace: TraceEntry[]
  usage: Usage
  model: string | null
}

/** What a Look works with. */
export interface LookTools {
  vision: Vision
  /** The measured fields' arithmetic, with the calibration of the models that looked. */
  measure(spec: MeasuredSpec, seen: Seen): Measured
  now(): number
  /** For the whole Look, ms. */
  timeoutMs: number
  signal?: AbortSignal
  /** Who is asked what is neither measured nor carried; null or absent: nobody. */
  language?: LanguageModel | null
  /** How it is found out how sure the model is; default: what it can. */
  weighing?: 'likelihood' | 'agreement'
  /** Ask the model how sure it thinks it is, for study; default true. */
  selfReport?: boolean
}
