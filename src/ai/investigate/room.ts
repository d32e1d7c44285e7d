import type { LanguageModel } from '../language.ts'

/** Of what is left, the opening and each result take at most: something is left for what follows. */
const SHARE = 0.5
/** Tokens with which a tool's answer can say something. */
const LEAST = 600
/** Letters of a token in data of most languages, on the safe side. */
export const LETTERS = 2
/** Of one block, whatever there is room for. */
const LONGEST_BLOCK = 40_000

/** What is left of a model's memory, where its size is known: a conversation that outgrows it comes to nothing. */
export class Room {
  readonly #context: number | null
  readonly #answer: number

  /** `answer`: tokens that are kept for what it says, and for asking it. */
  constructor(
    { contextTokens = null }: { contextTokens?: LanguageModel['contextTokens'] | null },
    answer: number,
  ) {
    this.#context = contextTokens
    this.#answer = answer
  }

  get context(): number {
    return this.#context ?? Number.POSITIVE_INFINITY
  }

  /** Characters that data may have behind a conversation of so many tokens; undefined: as many as ever. */
  behind(tokens: number, letters = LETTERS): number | undefined {
    if (this.#context === null) return undefined
    const most = Math.max(LEAST, this.#left(tokens)) * SHARE * letters
    return Math.min(LONGEST_BLOCK, Math.floor(most))
  }

  /** Whether no more can be found out behind so many: only the decision fits. */
  isFull(tokens: number): boolean {
    return this.#left(tokens) < LEAST
  }

  #left(tokens: number): number {
    return this.context - this.#answer - tokens
  }
}
