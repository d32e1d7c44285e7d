import type { LlamaContextSequence, SequenceEvaluateOptions, Token } from 'node-llama-cpp'
import type { Conversation } from './conversation.ts'
import type { LoadedModel } from './model.ts'
import type { LanguageChat } from './protocol.ts'
import { stopIfCalledOff } from './refusal.ts'
import { Thoughts } from './thought.ts'

/** Tokens that a model may think before it is made to answer. */
export const maxThoughtTokens = 512

export interface Generated {
  text: string
  /** All that the model had read when the answer began. */
  before: readonly Token[]
  /** The answer's tokens. */
  tokens: readonly Token[]
  /** Of tokens, thoughts included. */
  count: number
}

/**
 * Lets the model answer a conversation that has been read but for its last token. Under a grammar there are no thoughts;
 * without one they are passed over, and ended for the model where they go on for too long. Throws `Refusal` where it
 * was called off, at the next token.
 */
export async function generate(
  loaded: LoadedModel,
  conversation: Conversation,
  request: LanguageChat,
  thoughtTokens: number,
  signal: AbortSignal | undefined,
): Promise<Generated> {
  const last = conversation.tokens.at(-1)
  const { grammar, temperature, seed } = request
  const options: SequenceEvaluateOptions = {
    temperature,
    seed,
    ...(grammar !== undefined && { grammarEvaluationState: await loaded.grammarState(grammar) }),
  }
  const answer = new Answer(loaded, conversation, request, thoughtTokens)
  if (last === undefined || request.maxTokens < 1) return answer.result()
  const steps = loaded.sequence.evaluate([last], options)
  try {
    let feed: Token[] | undefined
    while (true) {
      const token = await nextToken(steps, feed, grammar !== undefined)
      stopIfCalledOff(signal)
      if (token === null || !answer.take(token)) return answer.result()
      feed = answer.interruption(token)
    }
  } finally {
    await steps.return()
  }
}

type Steps = ReturnType<LlamaContextSequence['evaluate']>

/** The next token, or null at the end. */
async function nextToken(
  steps: Steps,
  feed: Token[] | undefined,
  underGrammar: boolean,
): Promise<Token | null> {
  try {
    const { value, done } = await (feed ? steps.next(feed) : steps.next())
    return done ? null : value
  } catch (error) {
    // Nothing may follow, and this model has no token to say so.
    if (underGrammar && error instanceof Error && error.message.includes('sample next token')) return null
    throw error
  }
}

/** The answer as it grows. */
class Answer {
  readonly #loaded: LoadedModel
  readonly #conversation: Conversation
  readonly #request: LanguageChat
  readonly #thoughtTokens: number
  readonly #thoughts: Thoughts | null
  /** All that was generated or put in since the conversation. */
  readonly #tokens: Token[] = []
  #count = 0
  /** Index of the answer's first token. */
  #from = 0
  /** What the token that ended a thought said of the answer. */
  #lead = ''
  #stopped = 0

  constructor(loaded: LoadedModel, conversation: Conversation, request: LanguageChat, thoughtTokens: number) {
    this.#loaded = loaded
    this.#conversation = conversation
    this.#request = request
    this.#thoughtTokens = thoughtTokens
    this.#thoughts = request.grammar === undefined ? new Thoughts(conversation.thoughts) : null
  }

  /** False where that was the last one. */
  take(token: Token): boolean {
    this.#tokens.push(token)
    this.#count++
    if (this.#thoughts && !this.#thoughts.answering) {
      const after = this.#thoughts.hear(this.#loaded.model.detokenize([token], true))
      if (after !== null) {
        this.#lead = after
        this.#from = this.#tokens.length
      }
    }
    // What a grammar allows is no end, even if it looks like one.
    if (this.#thoughts && this.#ended()) return false
    // The library would drop the beginning of the conversation to make room.
    const room = this.#loaded.loaded.contextTokens - 1 - this.#conversation.tokens.length
    if (this.#tokens.length >= room) return false
    return this.#thoughts?.opened != null || this.#tokens.length - this.#from < this.#request.maxTokens
  }

  /** What the model reads instead of its own last token: that, and the end of a thought that was too long. */
  interruption(token: Token): Token[] | undefined {
    const opened = this.#thoughts?.opened
    if (!this.#thoughts || !opened || this.#thoughts.count < this.#thoughtTokens) return undefined
    const closing = this.#loaded.template.closingOf(opened)
    this.#thoughts.end()
    this.#tokens.push(...closing)
    this.#from = this.#tokens.length
    this.#lead = ''
    return [token, ...closing]
  }

  result(): Generated {
    const { model } = this.#loaded
    const before = [...this.#conversation.tokens, ...this.#tokens.slice(0, this.#from)]
    const tokens = this.#tokens.slice(this.#from, this.#tokens.length - this.#stopped)
    const said = this.#thoughts?.opened ? '' : this.#lead + model.detokenize(tokens, false, before)
    const text = this.#thoughts ? said.trim() : said
    return { text, before, tokens, count: this.#count }
  }

  /** Whether what the template ends an answer with was said. */
  #ended(): boolean {
    const stop = this.#conversation.stops.find(stop => {
      const start = this.#tokens.length - stop.length
      return start >= this.#from && stop.every((token, i) => this.#tokens[start + i] === token)
    })
    this.#stopped = stop?.length ?? 0
    return stop !== undefined
  }
}
