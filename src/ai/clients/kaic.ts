import type { JsonValue } from '../../core/index.ts'
import { type ChatAnswer, type ChatRequest, LanguageError, type LanguageModel } from '../language.ts'
import { oneLine } from '../reason.ts'
import { ask, at, type Failed, type HttpModelOptions } from './local-http.ts'
import { answerOf, pictureIn, questionsOf } from './questions.ts'

/** What the adapter takes. */
const MAX_PICTURE_BYTES = 8 * 1024 * 1024
/** Longer than this nobody who asks can wait. */
const MOST_WAIT_MS = 24 * 3_600_000

/**
 * The picture questions (`vqa`) of the NVR's inference server. It answers one question about one picture with free
 * text: each key of the answer's schema is a question of its own, made of the author's task and the key's options
 * alone, and what it says is read as one of them or as `unsure`. Data is not handed on: there is no place for it. What
 * workflows ask is of low priority: it comes behind what the NVR itself asks.
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
    const picture = pictureIn(request, destination)
    if (picture.bytes.length > MAX_PICTURE_BYTES)
      throw new LanguageError('refused', `${destination} takes pictures of at most 8 MB`)
    const frame = Buffer.from(picture.bytes).toString('base64')
    const startedAt = clock.now()
    const questions = questionsOf(request)
    const texts: string[] = []
    for (const { text } of questions) {
      const timeoutMs = Math.max(1, request.timeoutMs - (clock.now() - startedAt))
      texts.push(await this.#question(text, frame, { ...request, timeoutMs }))
    }
    const text = answerOf(questions, texts)
    return { text, tokensIn: 0, tokensOut: 0, ms: clock.now() - startedAt }
  }

  async #question(question: string, frame: string, request: ChatRequest): Promise<string> {
    const { destination, model } = this.#options
    const json = { task: 'vqa', camera_id: 'gatehouse', frame_b64: frame, question, priority: 'low' }
    const failed = (said: JsonValue) => failedIn(said, destination)
    const answer = await ask(this.#options, listed => pathOf(listed, model), json, request, failed)
    const text = at(at(answer, 'result'), 'answer')
    if (typeof text !== 'string' || !text.trim())
      throw new LanguageError(
        'malformed',
        `${destination} answered without a text: does ${model} answer questions?`,
      )
    return text
  }
}

/** Whether it may pass, and when, is the server's to say. */
function failedIn(answer: JsonValue, destination: string): Failed | null {
  if (at(answer, 'status') !== 'error') return null
  const error = at(answer, 'error')
  const code = oneLine(String(at(error, 'code') ?? 'no code'), 60)
  const passes = at(error, 'transient') === true
  const wait = at(error, 'retry_after_ms')
  const waitMs = passes && typeof wait === 'number' && wait > 0 ? Math.min(wait, MOST_WAIT_MS) : 0
  const seconds = waitMs > 0 ? `, it has time again in ${Math.ceil(waitMs / 1000)} s` : ''
  const message = `${destination} failed: ${code}${seconds}`
  return { error: new LanguageError(passes ? 'down' : 'refused', message), waitMs }
}

function pathOf(listed: string, adapter: string): string {
  const base = listed.replace(/\/+$/, '')
  return base.includes('/infer/') ? base : `${base}/api/v1/infer/${encodeURIComponent(adapter)}`
}
