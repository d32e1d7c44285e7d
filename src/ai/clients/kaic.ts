import type { JsonValue } from '../../core/index.ts'
import { LONGEST, UNSURE } from '../decision/question.ts'
import { type ChatAnswer, type ChatRequest, LanguageError, type LanguageModel } from '../language.ts'
import { oneLine } from '../reason.ts'
import { numberIn, optionIn, yesNoIn } from '../vqa.ts'
import { ask, at, type HttpModelOptions } from './local-http.ts'

/** What the adapter takes. */
const MAX_PICTURE_BYTES = 8 * 1024 * 1024

/**
 * The picture questions (`vqa`) of the NVR's inference server. It answers one question about one picture with free
 * text: each key of the answer's schema is a question of its own, made of the author's task and the key's options
 * alone, and what it says is read as one of them or as `unsure`. Data is not handed on: there is no place for it.
 */
export class KaicModel implements LanguageModel {
  readonly name: string
  readonly sees = true
  readonly onlyPictures = true
  readonly likelihoods = false
  readonly backend = 'server'
  readonly #options: HttpModelOptions

  constructor(options: HttpModelOptions) {
    this.#options = options
    this.name = `kaic:${options.model}`
  }

  async chat(request: ChatRequest): Promise<ChatAnswer> {
    const { clock, destination } = this.#options
    const picture = request.messages.flatMap(({ pictures = [] }) => pictures).at(-1)
    if (!picture)
      throw new LanguageError(
        'refused',
        `${destination} answers questions about pictures only: use another model`,
      )
    if (picture.bytes.length > MAX_PICTURE_BYTES)
      throw new LanguageError('refused', `${destination} takes pictures of at most 8 MB`)
    const frame = Buffer.from(picture.bytes).toString('base64')
    const startedAt = clock.now()
    const said: { [key: string]: JsonValue } = {}
    let reason = ''
    for (const [key, schema] of Object.entries(propertiesOf(request))) {
      if (key === 'reason') {
        said.reason = ''
        continue
      }
      const timeoutMs = Math.max(1, request.timeoutMs - (clock.now() - startedAt))
      const text = await this.#question(questionOf(key, schema, request.task ?? ''), frame, {
        ...request,
        timeoutMs,
      })
      said[key] = valueIn(text, schema)
      reason = text
    }
    said.reason = oneLine(reason, LONGEST.reason)
    return { text: JSON.stringify(said), tokensIn: 0, tokensOut: 0, ms: clock.now() - startedAt }
  }

  async #question(question: string, frame: string, request: ChatRequest): Promise<string> {
    const { destination, model } = this.#options
    const json = { task: 'vqa', camera_id: 'gatehouse', frame_b64: frame, question }
    const answer = await ask(this.#options, listed => pathOf(listed, model), json, request)
    if (at(answer, 'status') === 'error') {
      const error = at(answer, 'error')
      const code = oneLine(String(at(error, 'code') ?? 'no code'), 60)
      throw new LanguageError(
        at(error, 'transient') === true ? 'down' : 'refused',
        `${destination} failed: ${code}`,
      )
    }
    const text = at(at(answer, 'result'), 'answer')
    if (typeof text !== 'string' || !text.trim())
      throw new LanguageError(
        'malformed',
        `${destination} answered without a text: does ${model} answer questions?`,
      )
    return text
  }
}

function propertiesOf({ schema }: ChatRequest): { [key: string]: JsonValue } {
  const properties = schema?.properties
  if (properties !== null && typeof properties === 'object' && !Array.isArray(properties)) return properties
  throw new LanguageError('refused', 'this model answers questions with a form only')
}

/** In plain words; the options as they are written in the file. */
function questionOf(key: string, schema: JsonValue, task: string): string {
  const options = optionsOf(schema)
  const words = key.replaceAll('_', ' ')
  if (key === 'decision') return `${task} Answer with one of: ${options.join(', ')}.`
  if (isYesNo(options)) return `${task} About ${words}: answer yes or no.`
  if (options.length) return `${task} Which ${words}? Answer with one of: ${options.join(', ')}.`
  return `${task} What is the ${words}? Answer in a few words.`
}

function valueIn(text: string, schema: JsonValue): JsonValue {
  const options = optionsOf(schema)
  if (isYesNo(options)) return yesNoIn(text)
  if (options.length) return optionIn(text, options)
  const longest = at(schema, 'maxLength')
  if (typeof longest === 'number') return oneLine(text, longest)
  return numberIn(text)
}

/** Without `unsure`: a model that is offered it takes it. */
function optionsOf(schema: JsonValue): string[] {
  const options = at(schema, 'enum')
  return Array.isArray(options) ? options.map(String).filter(option => option !== UNSURE) : []
}

function isYesNo(options: readonly string[]): boolean {
  return options.length === 2 && options.includes('yes') && options.includes('no')
}

function pathOf(listed: string, adapter: string): string {
  const base = listed.replace(/\/+$/, '')
  return base.includes('/infer/') ? base : `${base}/api/v1/infer/${encodeURIComponent(adapter)}`
}
