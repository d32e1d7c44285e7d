import { type Clock, systemClock } from '../../core/index.ts'
import {
  type ChatReply,
  chatJob,
  type Inference,
  InferenceError,
  type InferenceFailure,
  type LanguageChat,
  type LanguageFile,
  type LanguageLoaded,
  type LanguageRefusal,
  type LoadAnswer,
  loadLanguageJob,
} from '../../inference/index.ts'
import {
  type ChatAnswer,
  type ChatRequest,
  LanguageError,
  type LanguageFailure,
  type LanguageModel,
} from '../language.ts'

export interface EmbeddedOptions {
  /** As runs record it. */
  name: string
  /** The child that holds the model: one of its own, so that a long turn holds up no picture. */
  inference: Inference
  model: LanguageFile
  clock?: Clock
}

/** How long the child has to notice that nobody waits any more; after that it hangs and is killed. */
const graceMs = 10_000

const failures: Readonly<Record<InferenceFailure, LanguageFailure>> = {
  unavailable: 'down',
  crashed: 'down',
  job_failed: 'down',
  timeout: 'timeout',
  aborted: 'aborted',
  overloaded: 'overloaded',
}

/** A language model in the inference process of this box, from a GGUF file. It is loaded by the first call. */
export class EmbeddedModel implements LanguageModel {
  readonly name: string
  readonly sees = false
  readonly likelihoods = true
  readonly #inference: Inference
  readonly #model: LanguageFile
  readonly #clock: Clock
  #backend: 'cpu' | 'gpu'

  constructor({ name, inference, model, clock }: EmbeddedOptions) {
    this.name = name
    this.#inference = inference
    this.#model = model
    this.#clock = clock ?? systemClock
    this.#backend = model.gpu ? 'gpu' : 'cpu'
  }

  get contextTokens(): number {
    return this.#model.contextTokens
  }

  /** Where it was seen to compute; before the first call, where it should. */
  get backend(): 'cpu' | 'gpu' {
    return this.#backend
  }

  /** Loads the model now rather than with the first call. Rejects with `LanguageError` only. */
  async load(options: { timeoutMs: number; signal?: AbortSignal }): Promise<LanguageLoaded> {
    const { loaded } = await this.#call<Extract<LoadAnswer, { ok: true }>>(
      loadLanguageJob,
      this.#model,
      options,
    )
    this.#backend = loaded.backend
    return loaded
  }

  async chat(request: ChatRequest): Promise<ChatAnswer> {
    const { messages, grammar, temperature, seed, maxTokens, likelihood } = request
    if (messages.some(({ pictures }) => pictures?.length))
      throw new LanguageError('refused', `${this.name} sees no pictures: give it texts only`)
    const asked: LanguageChat = {
      model: this.#model,
      messages: messages.map(({ role, text }) => ({ role, text })),
      temperature,
      seed,
      maxTokens,
      ...(grammar !== undefined && { grammar }),
      ...(likelihood && { likelihood }),
    }
    const started = this.#clock.now()
    const { said } = await this.#call<Extract<ChatReply, { ok: true }>>(chatJob, asked, request)
    this.#backend = said.backend
    const { text, tokensIn, tokensOut, options } = said
    return { text, tokensIn, tokensOut, ms: this.#clock.now() - started, ...(options && { options }) }
  }

  /**
   * Calls the child and calls off what takes too long: the model then stops at its next token and is free for the
   * next call, where a job that ran its whole time would cost the child and the loaded model.
   */
  async #call<Answer extends { ok: true }>(
    job: string,
    payload: unknown,
    { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<Answer> {
    const controller = new AbortController()
    const calledOff = () => controller.abort()
    signal?.addEventListener('abort', calledOff, { once: true })
    if (signal?.aborted) calledOff()
    let late = false
    const cancelTimer = this.#clock.after(timeoutMs, () => {
      late = true
      controller.abort()
    })
    try {
      const answer = await this.#inference.call<Answer | LanguageRefusal>(job, payload, {
        timeoutMs: timeoutMs + graceMs,
        signal: controller.signal,
      })
      if (answer.ok) return answer
      throw new LanguageError(answer.failure, answer.message)
    } catch (error) {
      if (late) throw new LanguageError('timeout', `${this.name} took longer than ${timeoutMs} ms`)
      throw languageError(error)
    } finally {
      cancelTimer()
      signal?.removeEventListener('abort', calledOff)
    }
  }
}

function languageError(error: unknown): LanguageError {
  if (error instanceof LanguageError) return error
  if (error instanceof InferenceError) return new LanguageError(failures[error.failure], error.message)
  return new LanguageError('down', String(error))
}
