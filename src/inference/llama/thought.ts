import type { ThoughtTags } from './conversation.ts'

/**
 * Follows the beginning of an answer, token by token, and tells thoughts from the answer itself. After the first thing
 * that is no thought all is answer, whatever it contains.
 */
export class Thoughts {
  readonly #tags: readonly ThoughtTags[]
  /** What was said since the last tag. */
  #said = ''
  #opened: ThoughtTags | null = null
  #answering = false
  #count = 0

  constructor(tags: readonly ThoughtTags[]) {
    this.#tags = tags
  }

  /** True once the answer has begun: nothing more needs to be heard. */
  get answering(): boolean {
    return this.#answering
  }

  /** The thought that the model is in. */
  get opened(): ThoughtTags | null {
    return this.#opened
  }

  /** Tokens that thoughts took so far. */
  get count(): number {
    return this.#count
  }

  /** Takes the text of the next token. Where that ended a thought: what the token said after it, else null. */
  hear(text: string): string | null {
    if (this.#answering) return null
    this.#said += text
    if (!this.#opened) {
      this.#begin()
      if (!this.#opened) return null
    }
    return this.#think(this.#opened)
  }

  /** The thought was ended for the model: what it says now is the answer. */
  end(): void {
    this.#opened = null
    this.#answering = true
  }

  #begin(): void {
    const said = this.#said.trimStart()
    const opened = this.#tags.find(({ open }) => said.startsWith(open))
    if (opened) {
      this.#opened = opened
      this.#said = said.slice(opened.open.length)
    } else this.#answering = !this.#tags.some(({ open }) => open.startsWith(said))
  }

  #think({ close }: ThoughtTags): string | null {
    this.#count++
    const at = this.#said.indexOf(close)
    if (at < 0) {
      // Only what may still become the end of the thought is kept.
      this.#said = this.#said.slice(-close.length)
      return null
    }
    const after = this.#said.slice(at + close.length)
    this.#opened = null
    this.#said = after
    this.#begin()
    return after
  }
}
