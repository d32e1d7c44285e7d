import type {
  ChatHistoryItem,
  ChatWrapper,
  ChatWrapperGeneratedContextState,
  LlamaModel,
  LlamaText,
  Token,
} from 'node-llama-cpp'
import { messageOf } from '../../core/index.ts'
import type { LanguageChat } from './protocol.ts'
import { Refusal } from './refusal.ts'

/** Begin and end of what a model thinks before it answers. */
export interface ThoughtTags {
  open: string
  close: string
}

export interface Conversation {
  tokens: Token[]
  /** What ends an answer besides the model's own tokens for that. */
  stops: Token[][]
  thoughts: ThoughtTags[]
}

/** The usual ones, also where the template says nothing. */
const usualTags: readonly ThoughtTags[] = [
  { open: '<think>', close: '</think>' },
  { open: '<thinking>', close: '</thinking>' },
]

/** How the templates that we know are told not to think: an answer is wanted, and time is short. */
const noThoughts = {
  qwen: { thoughts: 'discourage' },
  seed: { thinkingBudget: 0 },
  gemma4: { reasoning: false },
  harmony: { reasoningEffort: 'low' },
  jinjaTemplate: { reasoning: false },
} as const

/** Tokens at the end of a rendered conversation in which an opened thought would stand. */
const tailTokens = 24

type Library = Pick<typeof import('node-llama-cpp'), 'LlamaText' | 'resolveChatWrapper'>

/** Writes conversations as the model's own template has them. */
export class Template {
  readonly #library: Library
  readonly #model: LlamaModel
  readonly #wrapper: ChatWrapper

  constructor(library: Library, model: LlamaModel) {
    this.#library = library
    this.#model = model
    this.#wrapper = library.resolveChatWrapper(model, {
      warningLogs: false,
      customWrapperSettings: noThoughts,
    })
  }

  get name(): string {
    return this.#wrapper.wrapperName
  }

  /**
   * The conversation as tokens, up to where the answer begins. Texts are only ever texts: what looks like a token
   * of the template in them is spelt out. Throws `Refusal` where there is nothing to answer.
   */
  render(messages: LanguageChat['messages']): Conversation {
    if (messages.at(-1)?.role !== 'user')
      throw new Refusal('refused', 'a conversation ends with what the user says')
    const state = this.#write(historyOf(messages))
    const { tokenizer } = this.#model
    const tokens = state.contextText.tokenize(tokenizer)
    // Templates with channels want to be told that the answer comes now.
    const response = state.noPrefixTrigger?.type === 'response' ? state.noPrefixTrigger.inject : null
    if (response) tokens.push(...response.tokenize(tokenizer))
    const thoughts = this.#tags()
    tokens.push(...this.#closing(tokens, thoughts))
    const stops = state.stopGenerationTriggers.map(trigger =>
      this.#library.LlamaText(trigger).tokenize(tokenizer),
    )
    return { tokens, stops: stops.filter(stop => stop.length > 0), thoughts }
  }

  /** What ends a thought that has gone on for too long. */
  closingOf(tags: ThoughtTags): Token[] {
    return this.#model.tokenize(`\n${tags.close}\n\n`, true)
  }

  #write(chatHistory: ChatHistoryItem[]): ChatWrapperGeneratedContextState {
    try {
      return this.#wrapper.generateContextState({ chatHistory })
    } catch (error) {
      const why = messageOf(error)
      throw new Refusal('refused', `the model's template does not take this conversation: ${why}`)
    }
  }

  /** Some templates open a thought for the model: it is closed again. */
  #closing(tokens: readonly Token[], tags: readonly ThoughtTags[]): Token[] {
    const end = this.#model.detokenize(tokens.slice(-tailTokens), true).trimEnd()
    const opened = tags.find(({ open }) => end.endsWith(open))
    return opened ? this.closingOf(opened) : []
  }

  #tags(): ThoughtTags[] {
    const own = this.#wrapper.settings.segments?.thought
    const open = own && isText(own.prefix) ? own.prefix.toString().trim() : ''
    const close = own?.suffix?.toString().trim() ?? ''
    return open && close ? [{ open, close }, ...usualTags] : [...usualTags]
  }
}

function isText(prefix: string | LlamaText | { type: string }): prefix is string | LlamaText {
  return typeof prefix === 'string' || !('type' in prefix) || prefix.type === 'LlamaText'
}

function historyOf(messages: LanguageChat['messages']): ChatHistoryItem[] {
  const history = messages.map(({ role, text }): ChatHistoryItem => {
    if (role === 'assistant') return { type: 'model', response: [text] }
    return { type: role, text }
  })
  return [...history, { type: 'model', response: [''] }]
}
