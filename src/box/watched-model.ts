import {
  type ChatAnswer,
  type ChatRequest,
  LanguageError,
  type LanguageFailure,
  type LanguageModel,
} from '../ai/index.ts'
import type { Clock } from '../core/index.ts'

/** How a language model was when it was last asked. */
export interface ModelState {
  state: 'not_asked' | 'answering' | 'answered' | 'failed'
  /** Why it failed, for people; else null. */
  why: string | null
  /** When that was, ms since 1970; null: never. */
  at: number | null
}

/** Failures that say nothing of the model: the caller did not wait. */
const CALLERS: readonly LanguageFailure[] = ['aborted']

/** A language model that remembers how its last answer went. */
export class WatchedModel implements LanguageModel {
  readonly onlyPictures?: boolean
  readonly contextTokens?: number
  readonly #model: LanguageModel
  readonly #clock: Clock
  #last: ModelState = { state: 'not_asked', why: null, at: null }
  #asked = 0

  constructor(model: LanguageModel, clock: Clock) {
    this.#model = model
    // What a model is asked hangs on both.
    if (model.onlyPictures !== undefined) this.onlyPictures = model.onlyPictures
    if (model.contextTokens !== undefined) this.contextTokens = model.contextTokens
    this.#clock = clock
  }

  get name(): string {
    return this.#model.name
  }

  get sees(): boolean {
    return this.#model.sees
  }

  get likelihoods(): boolean {
    return this.#model.likelihoods
  }

  get backend(): LanguageModel['backend'] {
    return this.#model.backend
  }

  get state(): ModelState {
    return this.#asked > 0 ? { ...this.#last, state: 'answering' } : this.#last
  }

  async chat(request: ChatRequest): Promise<ChatAnswer> {
    this.#asked++
    try {
      const answer = await this.#model.chat(request)
      this.#last = { state: 'answered', why: null, at: this.#clock.now() }
      return answer
    } catch (error) {
      if (!(error instanceof LanguageError && CALLERS.includes(error.failure)))
        this.#last = { state: 'failed', why: String((error as Error).message), at: this.#clock.now() }
      throw error
    } finally {
      this.#asked--
    }
  }
}
