import type { JsonValue } from '../../core/index.ts'
import { pictureType } from '../../vision/index.ts'
import {
  type ChatAnswer,
  type ChatMessage,
  type ChatRequest,
  LanguageError,
  type LanguageModel,
} from '../language.ts'
import { ask, at, count, type HttpModelOptions } from './local-http.ts'
import { inTurns } from './turns.ts'

/** A model behind `/v1/chat/completions`, as llama-server, vLLM, OpenVINO Model Server and others speak it. */
export class OpenAiModel implements LanguageModel {
  readonly name: string
  readonly sees: boolean
  readonly likelihoods = false
  readonly backend = 'server'
  readonly #options: HttpModelOptions

  constructor(options: HttpModelOptions) {
    this.#options = options
    this.name = `openai:${options.model}`
    this.sees = options.sees
  }

  async chat(request: ChatRequest): Promise<ChatAnswer> {
    const { clock, model, destination } = this.#options
    const { schema, temperature, seed, maxTokens } = request
    const startedAt = clock.now()
    const json: JsonValue = {
      model,
      messages: inTurns(request.messages).map(message => this.#message(message)),
      temperature,
      seed,
      max_tokens: maxTokens,
      stream: false,
      ...(schema && {
        response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
      }),
    }
    const answer = await ask(this.#options, pathOf, json, request)
    const choice = at(at(answer, 'choices'), 0)
    const text = at(at(choice, 'message'), 'content')
    if (typeof text !== 'string' || text === '')
      throw new LanguageError('malformed', `${destination} answered without a text: is it a chat model?`)
    if (at(choice, 'finish_reason') === 'length')
      throw new LanguageError('malformed', `${destination} did not come to an end within ${maxTokens} tokens`)
    const usage = at(answer, 'usage')
    return {
      text,
      tokensIn: count(at(usage, 'prompt_tokens')),
      tokensOut: count(at(usage, 'completion_tokens')),
      ms: clock.now() - startedAt,
    }
  }

  #message({ role, text, pictures = [] }: ChatMessage): JsonValue {
    if (!this.sees || !pictures.length) return { role, content: text }
    const urls = pictures.map(({ bytes }) => {
      const data = Buffer.from(bytes).toString('base64')
      return `data:image/${pictureType(bytes) ?? 'jpeg'};base64,${data}`
    })
    const content = [{ type: 'text', text }, ...urls.map(url => ({ type: 'image_url', image_url: { url } }))]
    return { role, content }
  }
}

/** `/v1` where only a host is listed; what is listed with a path is what others call the base URL. */
function pathOf(listed: string): string {
  const base = listed.replace(/\/+$/, '')
  if (base.endsWith('/chat/completions')) return base
  return `${base || '/v1'}/chat/completions`
}
