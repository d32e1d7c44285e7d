import type { LlamaContextSequence, Token } from 'node-llama-cpp'
import { stopIfCalledOff } from './refusal.ts'

/**
 * Reads conversations into the model's memory, in pieces: between two of them it can be called off. Pieces begin at
 * multiples of their length, counted from the beginning of the conversation, whatever is remembered already: a
 * processor rounds otherwise in another order, and equal conversations would not get equal answers.
 */
export class ConversationReader {
  readonly #sequence: LlamaContextSequence
  readonly #piece: number
  /** Tokens from the beginning that were read in this manner; the last piece may be a short one. */
  #read = 0

  /** `piece`: tokens that are read at once. */
  constructor(sequence: LlamaContextSequence, piece: number) {
    this.#sequence = sequence
    this.#piece = piece
  }

  /**
   * Reads all but the last token, which the answer begins with, and keeps what the model remembers of the same
   * beginning. Answers with how many tokens were read anew. Throws `Refusal` where it was called off; what was read
   * by then is remembered.
   */
  async read(tokens: readonly Token[], signal: AbortSignal | undefined): Promise<number> {
    const sequence = this.#sequence
    const end = tokens.length - 1
    await this.#keep(this.#remembered(tokens, end))
    const first = sequence.nextTokenIndex
    for (let at = first; at < end; at = this.#read) {
      stopIfCalledOff(signal)
      const piece = tokens.slice(at, Math.min(end, at + this.#piece))
      await sequence.evaluateWithoutGeneratingNewTokens(piece)
      this.#read = at + piece.length
    }
    stopIfCalledOff(signal)
    // Models that cannot go back a few tokens go back to here.
    if (sequence.needsCheckpoints) await sequence.takeCheckpoint()
    return end - first
  }

  /** How much of a conversation need not be read again. */
  #remembered(tokens: readonly Token[], end: number): number {
    const same = Math.min(this.#sequence.compareContextTokens([...tokens]).firstDifferentIndex, this.#read)
    if (same === end && this.#read === end) return end
    return same - (same % this.#piece)
  }

  async #keep(count: number): Promise<void> {
    const sequence = this.#sequence
    this.#read = count
    if (count >= sequence.nextTokenIndex) return
    // Where going back means to read much again, that is done in pieces here.
    const again = sequence.getRestoreToPrefixIndexEvaluationSize(count)
    if (again <= this.#piece) {
      await sequence.eraseContextTokenRanges([{ start: count, end: sequence.nextTokenIndex }])
    } else {
      await sequence.clearHistory()
      this.#read = 0
    }
  }
}
