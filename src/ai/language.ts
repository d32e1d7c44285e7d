import type { JsonValue, Picture } from '../core/index.ts'

/** One message of a conversation. What comes from outside stands only in a `user` message, as labelled JSON. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant'
  text: string
  /** For models that see; others are never given any. */
  pictures?: readonly Picture[]
}

export interface ChatRequest {
  messages: readonly ChatMessage[]
  /** The author's question alone, without data: for models that take one question about a picture and nothing else. */
  task?: string
  /** JSON Schema of the answer: what servers are asked to hold it to. */
  schema?: { readonly [key: string]: JsonValue }
  /** The same as GBNF: what the embedded model is held to. */
  grammar?: string
  /** 0: always the likeliest token. */
  temperature: number
  /** Equal requests with equal seeds give equal answers. */
  seed: number
  /** Of the answer. */
  maxTokens: number
  /** From asking to the whole answer, ms. */
  timeoutMs: number
  signal?: AbortSignal
  /** Measure how likely each of these texts was as the string value of that key of the answer. */
  likelihood?: { key: string; options: readonly string[] }
}

export interface ChatAnswer {
  text: string
  /** Tokens of the conversation, whether read anew or remembered. */
  tokensIn: number
  tokensOut: number
  ms: number
  /** Probability of each option under the grammar; they sum to 1. Only where it was asked for and could be measured. */
  options?: { readonly [option: string]: number }
}

/** Why a model gave no answer. */
export type LanguageFailure = 'down' | 'timeout' | 'aborted' | 'overloaded' | 'refused' | 'malformed'

/** The only error that `chat` rejects with. */
export class LanguageError extends Error {
  readonly failure: LanguageFailure
  constructor(failure: LanguageFailure, message: string) {
    super(message)
    this.name = 'LanguageError'
    this.failure = failure
  }
}

/** A language model, wherever it runs. */
export interface LanguageModel {
  /** As runs record it, such as `qwen3-4b-q4` or `ollama:llama3.2`. */
  readonly name: string
  /** Whether pictures may be among the messages. */
  readonly sees: boolean
  /** Whether it measures likelihoods (the embedded one does). */
  readonly likelihoods: boolean
  /** Where it computes: limits follow from it. */
  readonly backend: 'cpu' | 'gpu' | 'server'
  /** It answers a question about a picture and takes nothing else: no data, and not how sure it is. */
  readonly onlyPictures?: boolean
  /** Tokens that conversation and answer may have together, where that is known. */
  readonly contextTokens?: number
  /** One answer. Rejects with `LanguageError` only. */
  chat(request: ChatRequest): Promise<ChatAnswer>
}
