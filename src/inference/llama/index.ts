import type { Job, JobContext } from '../types.ts'
import { type Generated, generate, maxThoughtTokens } from './generate.ts'
import { likelihoods, type Measured } from './likelihood.ts'
import type { LoadedModel } from './model.ts'
import {
  type ChatReply,
  chatJob,
  type LanguageChat,
  type LanguageFile,
  type LanguageRefusal,
  type LanguageSaid,
  type LoadAnswer,
  loadLanguageJob,
} from './protocol.ts'
import { Refusal } from './refusal.ts'
import { Slot } from './slot.ts'

/** The jobs of language models, for the child: nothing of llama.cpp is loaded before one of them is called. */
export const languageJobs: Readonly<Record<string, Job>> = {
  [loadLanguageJob]: async (payload, context): Promise<LoadAnswer> =>
    answered(async () => {
      const { loaded } = await modelOf(payload as LanguageFile, context)
      return { ok: true, loaded }
    }),
  [chatJob]: async (payload, context): Promise<ChatReply> =>
    answered(async () => ({ ok: true, said: await chat(payload as LanguageChat, context) })),
}

async function answered<T>(work: () => Promise<T>): Promise<T | LanguageRefusal> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, failure: error.failure, message: error.message }
    throw error
  }
}

async function modelOf(wanted: LanguageFile, context: JobContext): Promise<LoadedModel> {
  const slot = await context.resource(
    'language',
    async () => new Slot(),
    slot => slot.close(),
  )
  // Loading goes on where nobody waits any more: whoever asks next finds it done.
  return unlessCalledOff(slot.take(wanted, context), context.signal)
}

async function unlessCalledOff<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  const { promise, reject } = Promise.withResolvers<never>()
  const calledOff = () => reject(new Refusal('aborted', 'called off'))
  signal.addEventListener('abort', calledOff, { once: true })
  if (signal.aborted) calledOff()
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', calledOff)
  }
}

async function chat(request: LanguageChat, context: JobContext): Promise<LanguageSaid> {
  const loaded = await modelOf(request.model, context)
  const { signal } = context
  const conversation = loaded.template.render(request.messages)
  const thoughts = holdToContext(loaded, conversation.tokens.length, request)

  const started = performance.now()
  const readTokens = await loaded.reader.read(conversation.tokens, signal)
  const read = performance.now()
  const generated = await generate(loaded, conversation, request, thoughts, signal)
  const answeredAt = performance.now()
  const measured = request.likelihood ? await measure(request.likelihood, generated, loaded, signal) : null
  return {
    text: generated.text,
    tokensIn: conversation.tokens.length,
    tokensOut: generated.count,
    ...(measured && { options: measured.options }),
    readTokens,
    likelihoodTokens: measured?.tokens ?? 0,
    ms: {
      read: read - started,
      generate: answeredAt - read,
      likelihood: performance.now() - answeredAt,
    },
    backend: loaded.loaded.backend,
  }
}

async function measure(
  asked: NonNullable<LanguageChat['likelihood']>,
  answer: Generated,
  loaded: LoadedModel,
  signal: AbortSignal | undefined,
): Promise<Measured | null> {
  const { sequence, model } = loaded
  const vocabulary = await unlessCalledOff(loaded.vocabulary(), signal)
  return likelihoods(asked, answer, { sequence, model, vocabulary }, signal)
}

/** Tokens with which a thought is ended, with some to spare. */
const endOfThought = 16

/** Tokens that are left for thoughts. Throws `Refusal` where question and answer do not fit: nothing is ever cut. */
function holdToContext(loaded: LoadedModel, tokens: number, request: LanguageChat): number {
  const { contextTokens } = loaded.loaded
  const left = contextTokens - 1 - tokens - request.maxTokens
  if (left < 0) {
    const words = `the conversation has ${tokens} tokens and its answer may have ${request.maxTokens}`
    throw new Refusal('refused', `${words}, the model holds ${contextTokens}: shorten what it is given`)
  }
  return request.grammar === undefined ? Math.max(0, Math.min(maxThoughtTokens, left - endOfThought)) : 0
}
