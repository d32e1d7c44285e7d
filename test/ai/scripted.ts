import {
  type ChatAnswer,
  type ChatRequest,
  LanguageError,
  type LanguageFailure,
  type LanguageModel,
} from '../../src/ai/index.ts'
import type { JsonValue } from '../../src/core/index.ts'

/** What a scripted model does at one call: it says a text or an object, measures likelihoods, or fails. */
export type Said =
  | string
  | { [key: string]: JsonValue }
  | { say: string | { [key: string]: JsonValue }; options: { [option: string]: number } }
  | LanguageFailure
  | ((request: ChatRequest) => Promise<ChatAnswer>)

const FAILURES: readonly string[] = ['down', 'timeout', 'aborted', 'overloaded', 'refused', 'malformed']

/** A language model that says what the test tells it, and keeps what it was asked. */
export class Scripted implements LanguageModel {
  readonly name = 'scripted'
  readonly sees: boolean
  readonly likelihoods: boolean
  readonly backend: 'cpu' | 'gpu' | 'server'
  readonly asked: ChatRequest[] = []
  readonly #script: readonly Said[]

  /** The last of the script is said again and again. */
  constructor(
    script: readonly Said[],
    over: Partial<Pick<LanguageModel, 'sees' | 'likelihoods' | 'backend'>> = {},
  ) {
    this.#script = script
    this.sees = over.sees ?? false
    this.likelihoods = over.likelihoods ?? false
    this.backend = over.backend ?? 'server'
  }

  async chat(request: ChatRequest): Promise<ChatAnswer> {
    this.asked.push(request)
    const said = this.#script[Math.min(this.asked.length, this.#script.length) - 1] ?? 'down'
    if (typeof said === 'function') return said(request)
    if (typeof said === 'string' && FAILURES.includes(said))
      throw new LanguageError(said as LanguageFailure, `it is ${said}`)
    const { say, options } =
      typeof said === 'object' && 'say' in said ? said : { say: said, options: undefined }
    const text = typeof say === 'string' ? say : JSON.stringify(say)
    const weighed = options as { [option: string]: number } | undefined
    return { text, tokensIn: 100, tokensOut: 20, ms: 5, ...(weighed && { options: weighed }) }
  }

  /** What it was told at a call, all messages together. */
  told(index = 0): string {
    return this.asked[index]?.messages.map(({ role, text }) => `${role}: ${text}`).join('\n') ?? ''
  }
}
