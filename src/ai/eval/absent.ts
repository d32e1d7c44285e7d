import {
  type ChatAnswer,
  type ChatRequest,
  LanguageError,
  type LanguageFailure,
  type LanguageModel,
} from '../language.ts'

/** Failures of the way to a model. A server that refuses is one: who asks it so is none of the model's doing. */
const AWAY: readonly LanguageFailure[] = ['down', 'overloaded']

/**
 * A model that is judged, and whether it was there at all: of one that was not, a case says nothing. What is too slow or
 * says nonsense was there.
 */
export class Present implements LanguageModel {
  readonly onlyPictures?: boolean
  readonly contextTokens?: number
  readonly #model: LanguageModel
  #away: string | null = null

  constructor(model: LanguageModel) {
    this.#model = model
    if (model.onlyPictures !== undefined) this.onlyPictures = model.onlyPictures
    if (model.contextTokens !== undefined) this.contextTokens = model.contextTokens
  }

  /** Why it gave no answer, in one line; null: it was there. */
  get away(): string | null {
    return this.#away
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

  async chat(request: ChatRequest): Promise<ChatAnswer> {
    try {
      return await this.#model.chat(request)
    } catch (error) {
      if (error instanceof LanguageError && this.#isAway(error)) this.#away ??= error.message
      throw error
    }
  }

  #isAway({ failure }: LanguageError): boolean {
    return AWAY.includes(failure) || (failure === 'refused' && this.backend === 'server')
  }
}
