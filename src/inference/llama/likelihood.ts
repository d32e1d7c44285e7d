import type { LlamaContextSequence, LlamaModel, Token } from 'node-llama-cpp'
import { stopIfCalledOff } from './refusal.ts'
import { placeOfValue } from './value.ts'
import { longestPiece, type Vocabulary } from './vocabulary.ts'

export interface Measured {
  /** Probability of each option; they sum to 1. */
  options: { [option: string]: number }
  /** Tokens that were read for it. */
  tokens: number
}

interface Asked {
  key: string
  options: readonly string[]
}

interface Answer {
  /** All that the model had read when the answer began. */
  before: readonly Token[]
  tokens: readonly Token[]
  text: string
}

/** A token less likely than this is not followed where several options could begin with it; it is shared out. */
const leastShare = 0.001
/** Letters after a value that a token which ends it may bring along. */
const tailLetters = 8

/**
 * How likely the model found each option as the value of a key of its answer, had it been free to choose among them.
 * Goes back to where the value begins and follows the tokens that the options can begin with, sharing out each token's
 * probability among what the options allow there. Reads at most as many tokens as the options have. Null where the
 * answer has no such value or one that is no option. Throws `Refusal` where it was called off.
 */
export async function likelihoods(
  asked: Asked,
  answer: Answer,
  model: { sequence: LlamaContextSequence; model: LlamaModel; vocabulary: Vocabulary },
  signal: AbortSignal | undefined,
): Promise<Measured | null> {
  const { text } = answer
  const place = placeOfValue(text, asked.key)
  if (!place) return null
  const options = [...new Set(asked.options)]
  const spelt = options.map(option => JSON.stringify(option).slice(1, -1))
  if (!spelt.includes(text.slice(place.start, place.end))) return null

  const { count, length } = tokensBefore(answer, place.start, model.model)
  const lead = text.slice(length, place.start)
  const tail = text.slice(place.end + 1, place.end + 1 + tailLetters)
  const budget = spelt.reduce((sum, option) => sum + model.model.tokenize(`${option}"`, false).length, 0)
  const explorer = new Explorer({ ...model, tail, budget, count: options.length, signal })
  const read = [...answer.before, ...answer.tokens.slice(0, count)]
  const last = read.at(-1)
  if (last === undefined) return null
  const rests = new Map(spelt.map((option, index) => [index, `${lead}${option}"`]))
  await explorer.follow(last, read.length - 1, rests, 1)
  return {
    options: Object.fromEntries(options.map((option, index) => [option, explorer.shares[index] ?? 0])),
    tokens: explorer.tokens,
  }
}

/** The answer's tokens that say nothing of the value, and the length of their text. */
function tokensBefore(
  { before, tokens, text }: Answer,
  start: number,
  model: LlamaModel,
): { count: number; length: number } {
  let best = { count: 0, length: 0 }
  for (let count = 1; count <= tokens.length; count++) {
    const said = model.detokenize(tokens.slice(0, count), false, before)
    if (said.length > start) break
    if (text.startsWith(said)) best = { count, length: said.length }
  }
  return best
}

interface Exploring {
  sequence: LlamaContextSequence
  vocabulary: Vocabulary
  /** What follows the value in the answer. */
  tail: string
  /** Tokens that may be read. */
  budget: number
  /** Of options. */
  count: number
  signal: AbortSignal | undefined
}

/** By index of an option: what of it has not been said yet, with the quote that ends it. */
type Rests = ReadonlyMap<number, string>

class Explorer {
  readonly shares: number[]
  tokens = 0
  readonly #with: Exploring

  constructor(exploring: Exploring) {
    this.#with = exploring
    this.shares = Array.from({ length: exploring.count }, () => 0)
  }

  /** Reads `token` as the one at `index` and shares `mass` out among the options that go on as `rests` say. */
  async follow(token: Token, index: number, rests: Rests, mass: number): Promise<void> {
    const next = await this.#read(token, index)
    const branches = this.#branches(rests, next)
    const sum = branches.reduce((all, { probability }) => all + probability, 0)
    if (!(sum > 0)) return this.#shareOut(rests, mass)
    const open = branches
      .map(branch => ({ ...branch, share: (mass * branch.probability) / sum }))
      .filter(branch => {
        const [only] = branch.rests.size === 1 ? branch.rests.keys() : []
        if (only !== undefined) this.#add(only, branch.share)
        return only === undefined
      })
      .sort((a, b) => b.share - a.share)
    for (const branch of open) {
      const affordable = this.tokens < this.#with.budget && branch.share >= leastShare
      if (affordable) await this.follow(branch.token, index + 1, branch.rests, branch.share)
      else this.#shareOut(branch.rests, branch.share)
    }
  }

  async #read(token: Token, index: number): Promise<ReadonlyMap<Token, number>> {
    stopIfCalledOff(this.#with.signal)
    const { sequence } = this.#with
    await sequence.eraseContextTokenRanges([{ start: index, end: sequence.nextTokenIndex }])
    this.tokens++
    const [output] = await sequence.controlledEvaluate([[token, { generateNext: { probabilities: true } }]])
    return output?.next.probabilities ?? new Map()
  }

  /** Every token that some option can go on with, and how these options go on after it. */
  #branches(
    rests: Rests,
    next: ReadonlyMap<Token, number>,
  ): { token: Token; probability: number; rests: Map<number, string> }[] {
    const branches = new Map<Token, Map<number, string>>()
    for (const [option, rest] of rests) {
      const text = rest + this.#with.tail
      const longest = Math.min(text.length, longestPiece)
      for (let length = 1; length <= longest; length++) {
        for (const token of this.#with.vocabulary.get(text.slice(0, length)) ?? []) {
          const branch = branches.get(token) ?? new Map()
          branches.set(token, branch.set(option, rest.slice(length)))
        }
      }
    }
    return [...branches].map(([token, after]) => ({
      token,
      probability: next.get(token) ?? 0,
      rests: after,
    }))
  }

  /** What is not followed goes to its options as the rest has gone so far. */
  #shareOut(rests: Rests, mass: number): void {
    const options = [...rests.keys()]
    const sum = options.reduce((all, option) => all + (this.shares[option] ?? 0), 0)
    const parts = options.map(option => (sum > 0 ? (this.shares[option] ?? 0) / sum : 1 / options.length))
    for (const [index, option] of options.entries()) this.#add(option, mass * (parts[index] ?? 0))
  }

  #add(option: number, mass: number): void {
    this.shares[option] = (this.shares[option] ?? 0) + mass
  }
}
