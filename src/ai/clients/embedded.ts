import { type Clock, systemClock } from '../../core/index.ts'
import {
  type ChatReply,
  chatJob,
  type Inference,
  type LanguageChat,
  type LanguageFile,
  type LanguageLoaded,
  type LoadAnswer,
  loadLanguageJob,
} from '../../inference/index.ts'
import { type ChatAnswer, type ChatRequest, LanguageError, type LanguageModel } from '../language.ts'
import { callChild } from './child.ts'

export interface EmbeddedOptions {
  /** As runs record it. */
  name: string
  /** The child that holds the model: one of its own, so that a long turn holds up no picture. */
  inference: Inference
  model: LanguageFile
  clock?: Clock
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
    const { loaded } = await callChild<LoadAnswer>(this.#caller, loadLanguageJob, this.#model, options)
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
    const { said } = await callChild<ChatReply>(this.#caller, chatJob, asked, request)
    this.#backend = said.backend
    const { text, tokensIn, tokensOut, options } = said
    return { text, tokensIn, tokensOut, ms: this.#clock.now() - started, ...(options && { options }) }
  }

  get #caller() {
    return { name: this.name, inference: this.#inference, clock: this.#clock }
  }
}
