const HEAD_END = '\r\n\r\n'
const MOST_HEAD = 1_024

/** Takes ffmpeg's `mpjpeg` as it comes: JPEGs one after another, each with its length before it. */
export class JpegReader {
  readonly #most: number
  #chunks: Uint8Array[] = []
  #have = 0
  /** Fewer bytes are not worth a look. */
  #need = 1

  /** `most`: bytes of the largest picture. */
  constructor(most: number) {
    this.#most = most
  }

  /** The pictures that are whole by now. Throws where one is too large, or it is something else. */
  push(chunk: Uint8Array): Uint8Array[] {
    this.#chunks.push(chunk)
    this.#have += chunk.byteLength
    if (this.#have < this.#need) return []
    let rest = Buffer.concat(this.#chunks)
    const found: Uint8Array[] = []
    for (let next = this.#next(rest); next; next = this.#next(rest)) {
      found.push(new Uint8Array(rest.subarray(next.from, next.to)))
      rest = rest.subarray(next.to)
    }
    this.#chunks = [rest]
    this.#have = rest.byteLength
    return found
  }

  #next(rest: Buffer): { from: number; to: number } | null {
    this.#need = 1
    const end = rest.indexOf(HEAD_END)
    if (end < 0 && rest.length > MOST_HEAD) throw new Error('what came is no picture')
    if (end < 0) return null
    const [, length] = /^content-length: (\d{1,9})$/im.exec(rest.toString('latin1', 0, end)) ?? []
    const bytes = Number(length ?? Number.NaN)
    if (!(bytes > 0 && bytes <= this.#most)) throw new Error('the picture is too large')
    const from = end + HEAD_END.length
    this.#need = from + bytes
    return rest.length < this.#need ? null : { from, to: this.#need }
  }
}
