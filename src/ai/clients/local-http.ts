import { type Clock, GatehouseError, type JsonValue, messageOf } from '../../core/index.ts'
import { type ChatRequest, LanguageError } from '../language.ts'

export interface LocalAnswer {
  status: number
  body: string
  /** There was more of it. */
  cut: boolean
  /** How long it asks not to be asked again; null: it does not say. */
  retryAfterMs: number | null
}

/** HTTP to a destination that the site lists and that stands on the site. The floors above supply it. */
export interface LocalHttp {
  /**
   * Posts JSON once and reads at most `maxBytes` of the answer. `path` is given the listed address's path and answers
   * with the path to post to. Rejects with `GatehouseError`: `destination_unreachable` (nothing was sent),
   * `destination_unanswered` (it may have arrived), others where it may not or cannot be sent at all.
   */
  post(request: {
    to: string
    path(listed: string): string
    json: JsonValue
    timeoutMs: number
    maxBytes: number
    signal: AbortSignal
  }): Promise<LocalAnswer>
}

/** A model behind HTTP: where, and as what it is called there. */
export interface HttpModelOptions {
  http: LocalHttp
  /** Name of the listed destination. */
  destination: string
  /** The model's name on that server. */
  model: string
  sees: boolean
  clock: Clock
}

/** As much of an answer as is read. */
const MAX_BYTES = 512 * 1024
/** How long after each failure that may pass the next try follows, where the server does not ask for longer. */
const RETRIES_MS = [500, 2_000]
const TRANSIENT = new Set([429, 502, 503, 504])
const BUSY = new Set([429, 503])

/** What an answer says of a failure in the words of its protocol. */
export interface Failed {
  error: LanguageError
  /** How long it asks not to be asked again. */
  waitMs: number
}

/**
 * Posts until there is an answer, within the request's time: what may pass (no connection, a connection that was
 * lost, 429, 502 to 504) is tried again twice, not before a busy server wants it. Answers with the parsed JSON.
 * `failedIn` reads a failure out of an answer, whatever its status; what it calls refused is not tried again. Rejects
 * with `LanguageError` only.
 */
export async function ask(
  { http, destination, clock }: HttpModelOptions,
  path: (listed: string) => string,
  json: JsonValue,
  { timeoutMs, signal = new AbortController().signal }: ChatRequest,
  failedIn: (answer: JsonValue) => Failed | null = () => null,
): Promise<JsonValue> {
  const late = new AbortController()
  const cancel = clock.after(timeoutMs, () => late.abort())
  const over = AbortSignal.any([signal, late.signal])
  const deadline = clock.now() + timeoutMs
  try {
    for (let tries = 0; ; tries++) {
      const outcome = over.aborted
        ? new LanguageError('down', destination)
        : await http
            .post({ to: destination, path, json, timeoutMs, maxBytes: MAX_BYTES, signal: over })
            .catch((error: unknown) => failureOf(destination, error))
      if (signal.aborted) throw new LanguageError('aborted', `${destination} was called off`)
      if (late.signal.aborted) throw tooLate(destination, timeoutMs)
      const failed =
        outcome instanceof LanguageError
          ? { error: outcome, waitMs: 0 }
          : (failedIn(parsed(outcome)) ?? refusalOf(destination, outcome))
      if (!failed && !(outcome instanceof LanguageError)) return read(destination, outcome)
      const pauseMs = RETRIES_MS[tries]
      const lasting = failed?.error.failure === 'refused'
      if (lasting || pauseMs === undefined) throw failed?.error
      const wait = Math.max(pauseMs, failed?.waitMs ?? 0)
      if (clock.now() + wait >= deadline) throw failed?.error
      await pause(clock, wait, over)
    }
  } finally {
    cancel()
  }
}

/** What is there under a name of an object, else null. */
export function at(value: JsonValue | undefined, name: string | number): JsonValue {
  if (value === null || typeof value !== 'object') return null
  return (Object.hasOwn(value, name) ? (value as { [key: string]: JsonValue })[name] : null) ?? null
}

/** A count that a server told; 0 where it told none. */
export function count(value: JsonValue): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0
}

/** Null for what is no JSON, or too much of it. */
function parsed({ body, cut }: LocalAnswer): JsonValue {
  try {
    return cut ? null : JSON.parse(body)
  } catch {
    return null
  }
}

function read(destination: string, answer: LocalAnswer): JsonValue {
  const json = parsed(answer)
  if (json !== null) return json
  throw new LanguageError(
    'malformed',
    answer.cut
      ? `${destination} answered with more than ${MAX_BYTES / 1024} kB`
      : `${destination} answered with what is no JSON: is it a language model?`,
  )
}

/** Only who is busy says with it when there will be time. */
function refusalOf(destination: string, { status, retryAfterMs }: LocalAnswer): Failed | null {
  if (status >= 200 && status < 300) return null
  const waitMs = BUSY.has(status) ? (retryAfterMs ?? 0) : 0
  const failure = BUSY.has(status) ? 'overloaded' : TRANSIENT.has(status) ? 'down' : 'refused'
  const hint = waitMs > 0 ? `it has time again in ${Math.ceil(waitMs / 1000)} s` : hintOf(status)
  return { error: new LanguageError(failure, `${destination} answered ${status}: ${hint}`), waitMs }
}

function hintOf(status: number): string {
  if (status === 401 || status === 403)
    return 'give it the key that it asks for, under headers of the destination'
  if (status === 404) return 'check the address, the kind of api and the name of the model'
  if (TRANSIENT.has(status)) return 'it has no time, or its model is not there'
  return 'look into its log'
}

/** Unreachable, or lost on the way: may pass. Everything else is how the site is set up. */
function failureOf(destination: string, error: unknown): LanguageError {
  const code = error instanceof GatehouseError ? error.code : null
  const passing = code === 'destination_unreachable' || code === 'destination_unanswered'
  return new LanguageError(passing ? 'down' : 'refused', `${messageOf(error) || destination}`)
}

function tooLate(destination: string, timeoutMs: number): LanguageError {
  return new LanguageError(
    'timeout',
    `${destination} gave no answer within ${Math.round(timeoutMs / 1000)} s`,
  )
}

async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const cancel = clock.after(ms, resolve)
  signal.addEventListener('abort', () => resolve(), { once: true })
  await promise
  cancel()
}
