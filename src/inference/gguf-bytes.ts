import type { GgufSource } from './gguf.ts'

/** There is less than was said, or what cannot be. */
export class CutOff extends Error {}

/** As much as is read at once. */
const windowBytes = 256 * 1024

/** Reads little-endian numbers and texts, a window at a time and up to `end`; `CutOff` where there is no more. */
export class ByteReader {
  readonly #source: GgufSource
  readonly #end: number
  #window = new Uint8Array(0)
  #from = 0
  #at = 0

  constructor(source: GgufSource, end: number) {
    this.#source = source
    this.#end = end
  }

  /** Where it has come to. */
  get at(): number {
    return this.#at
  }

  u32(): number {
    return this.view(4).getUint32(0, true)
  }

  /** A number of things; what is too large to be one is damage. */
  u64(): number {
    const value = this.view(8).getBigUint64(0, true)
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new CutOff()
    return Number(value)
  }

  latin(length: number): string {
    return Buffer.from(this.#take(length)).toString('latin1')
  }

  text(most: number): string {
    const length = this.u64()
    if (length > most) throw new CutOff()
    return Buffer.from(this.#take(length)).toString('utf8')
  }

  skip(length: number): void {
    if (!(length >= 0) || this.#at + length > this.#end) throw new CutOff()
    this.#at += length
  }

  /** The next bytes, for one number. */
  view(length: number): DataView {
    const bytes = this.#take(length)
    return new DataView(bytes.buffer, bytes.byteOffset, length)
  }

  #take(length: number): Uint8Array {
    const start = this.#at
    this.skip(length)
    const inside = start >= this.#from && this.#at <= this.#from + this.#window.length
    if (!inside) this.#fill(start, length)
    return this.#window.subarray(start - this.#from, this.#at - this.#from)
  }

  #fill(from: number, least: number): void {
    const window = new Uint8Array(Math.min(this.#end - from, Math.max(least, windowBytes)))
    let filled = 0
    while (filled < window.length) {
      const read = this.#source.read(window.subarray(filled), from + filled)
      if (read <= 0) break
      filled += read
    }
    if (filled < least) throw new CutOff()
    this.#window = window.subarray(0, filled)
    this.#from = from
  }
}
