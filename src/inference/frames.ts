import { deserialize, serialize } from 'bun:jsc'

/** Longest message: every payload that may wait for the child, and what is around it. */
const maxFrame = 160 * 1024 * 1024

/** One message for a stream of bytes: its length in four bytes, then its structured clone. Throws as a clone does. */
export function frame(message: unknown): Buffer {
  const body = Buffer.from(serialize(message))
  const head = Buffer.alloc(4)
  head.writeUInt32LE(body.length)
  return Buffer.concat([head, body])
}

/** Puts messages together from the pieces that a stream gives. */
export class FrameReader {
  #chunks: Buffer[] = []
  #bytes = 0
  /** Bytes of the message that is being read, without its length; null: that comes next. */
  #wanted: number | null = null

  /** Messages that are complete with this piece. Throws where one would be too long or is none. */
  push(chunk: Buffer): unknown[] {
    const complete: unknown[] = []
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    for (;;) {
      if (this.#wanted === null) {
        if (this.#bytes < 4) return complete
        this.#wanted = this.#take(4).readUInt32LE()
        if (this.#wanted > maxFrame) throw new Error(`a message of ${this.#wanted} bytes is too long`)
      }
      if (this.#bytes < this.#wanted) return complete
      const body = this.#take(this.#wanted)
      this.#wanted = null
      // A copy of its own: the clone may keep what it was made from.
      complete.push(deserialize(new Uint8Array(body).buffer))
    }
  }

  #take(bytes: number): Buffer {
    const all = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks)
    this.#bytes -= bytes
    this.#chunks = this.#bytes ? [all.subarray(bytes)] : []
    return all.subarray(0, bytes)
  }
}
