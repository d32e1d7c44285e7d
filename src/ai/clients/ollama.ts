import type { JsonValue } from '../../core/index.ts'
import {
  type ChatAnswer,
  type ChatMessage,
  type ChatRequest,
  LanguageError,
  type LanguageModel,
} from '../language.ts'
import { ask, at, count, type HttpModelOptions } from './local-http.ts'
import { inTurns } from './turns.ts'

/** Tokens that a picture takes, at most, with the models that see there. */
const PICTURE_TOKENS = 2_000
/** Sizes of the context in steps: a model is loaded anew for each other one. */
const CONTEXTS = [8_192, 16_384, 32_768]

/** A model behind Ollama's `/api/chat`. */
export class OllamaModel implements LanguageModel {
  readonly name: string
  readonly sees: boolean
  readonly likelihoods = false
  readonly backend = 'server'
  readonly #options: HttpModelOptions

  constructor(options: HttpModelOptions) {
    this.#options = options
    this.name = `ollama:${options.model}`
    this.sees = options.sees
  }

  async chat(request: ChatRequest): Promise<ChatAnswer> {
    const { clock, model, destination } = this.#options
    const { schema, temperature, seed, maxTokens } = request
    const startedAt = clock.now()
    const json: JsonValue = {
      model,
      messages: inTurns(request.messages).map(message => this.#message(message)),
      stream: false,
      think: false,
      ...(schema && { format: schema }),
      options: { temperature, seed, num_predict: maxTokens, num_ctx: contextOf(request) },
    }
    const answer = await ask(this.#options, pathOf, json, request)
    const text = at(at(answer, 'message'), 'content')
    if (typeof text !== 'string' || text === '' || at(answer, 'done') !== true)
      throw new LanguageError('malformed', `${destination} answered without a whole text: is it Ollama?`)
    if (at(answer, 'done_reason') === 'length')
      throw new LanguageError('malformed', `${destination} did not come to an end within ${maxTokens} tokens`)
    return {
      text,
      tokensIn: count(at(answer, 'prompt_eval_count')),
      tokensOut: count(at(answer, 'eval_count')),
      ms: clock.now() - startedAt,
    }
  }

  #message({ role, text, pictures = [] }: ChatMessage): JsonValue {
    if (!this.sees || !pictures.length) return { role, content: text }
    return { role, content: text, images: pictures.map(({ bytes }) => Buffer.from(bytes).toString('base64')) }
  }
}

/** Room for all of it: what does not fit is left out there without a word, the instructions first. */
function contextOf({ messages, maxTokens }: ChatRequest): number {
  const letters = messages.reduce((sum, { text }) => sum + text.length, 0)
  const pictures = messages.reduce((sum, { pictures = [] }) => sum + pictures.length, 0)
  const tokens = letters / 2 + pictures * PICTURE_TOKENS + maxTokens
  return CONTEXTS.find(size => size >= tokens) ?? CONTEXTS.at(-1) ?? 0
}

function pathOf(listed: string): string {
  const base = listed.replace(/\/+$/, '')
  return base.endsWith('/api/chat') ? base : `${base.replace(/\/api$/, '')}/api/chat`
}
