const EDGE = /[\p{L}\p{N}]/u

/**
 * Texts that are looked for in another one, without case: as many as a site has in its lists, in a time that goes by
 * the length of the text and not by how many they are.
 */
export class KnownTexts {
  readonly #texts: ReadonlySet<string>
  /** By how they begin: how long they are. */
  readonly #lengths = new Map<string, Set<number>>()
  readonly #whole: boolean

  /** `least`: shorter ones are not looked for. `whole`: never within a longer word. */
  constructor(texts: readonly string[], { least, whole }: { least: number; whole: boolean }) {
    this.#whole = whole
    this.#texts = new Set(texts.map(each => folded(each.trim())).filter(each => each.length >= least))
    for (const text of this.#texts) {
      const start = text.slice(0, 2)
      this.#lengths.set(start, (this.#lengths.get(start) ?? new Set()).add(text.length))
    }
  }

  /** A text with something in the place of each; where they overlap nothing stays of either. */
  replaced(text: string, put: string): string {
    const plain = folded(text)
    const parts: string[] = []
    let [kept, end] = [0, 0]
    for (let at = 0; at < plain.length - 1; at++) {
      const until = at + this.#longestAt(plain, at)
      if (until <= Math.max(at, end)) continue
      if (at >= end) {
        parts.push(text.slice(kept, at), put)
      }
      end = until
      kept = until
    }
    return parts.join('') + text.slice(kept)
  }

  /** Zero: none is there. */
  #longestAt(text: string, at: number): number {
    let longest = 0
    for (const length of this.#lengths.get(text.slice(at, at + 2)) ?? [])
      if (length > longest && this.#texts.has(text.slice(at, at + length)) && this.#stands(text, at, length))
        longest = length
    return longest
  }

  #stands(text: string, at: number, length: number): boolean {
    if (!this.#whole) return true
    const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? ''
    const [after = ''] = text.slice(at + length, at + length + 2)
    return !EDGE.test(before) && !EDGE.test(after)
  }
}

/** Without case, each letter where it was. */
function folded(text: string): string {
  const small = text.toLowerCase()
  if (small.length === text.length) return small
  return [...text]
    .map(each => (each.toLowerCase().length === each.length ? each.toLowerCase() : each))
    .join('')
}
