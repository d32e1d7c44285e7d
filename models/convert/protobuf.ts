/** The part of the protocol buffer wire format that an ONNX file needs. */

const TEXT = new TextEncoder()

/** Collects the fields of one message, in the order in which they are given. */
export class Message {
  readonly #parts: Uint8Array[] = []

  /** A varint field; negative numbers are written as 64-bit two's complement. */
  int(field: number, value: number | bigint): this {
    this.#varint(BigInt(field << 3))
    this.#varint(BigInt.asUintN(64, BigInt(value)))
    return this
  }

  /** A 32-bit float field. */
  float(field: number, value: number): this {
    this.#varint(BigInt((field << 3) | 5))
    const bytes = new Uint8Array(4)
    new DataView(bytes.buffer).setFloat32(0, value, true)
    this.#parts.push(bytes)
    return this
  }

  /** A length-delimited field: bytes, UTF-8 text or a message. */
  add(field: number, value: Uint8Array | string | Message): this {
    const bytes =
      value instanceof Message ? value.encode() : typeof value === 'string' ? TEXT.encode(value) : value
    this.#varint(BigInt((field << 3) | 2))
    this.#varint(BigInt(bytes.length))
    this.#parts.push(bytes)
    return this
  }

  encode(): Uint8Array {
    const out = new Uint8Array(this.#parts.reduce((sum, part) => sum + part.length, 0))
    let at = 0
    for (const part of this.#parts) {
      out.set(part, at)
      at += part.length
    }
    return out
  }

  #varint(value: bigint): void {
    const bytes: number[] = []
    let rest = value
    do {
      const low = Number(rest & 0x7fn)
      rest >>= 7n
      bytes.push(rest > 0n ? low | 0x80 : low)
    } while (rest > 0n)
    this.#parts.push(Uint8Array.from(bytes))
  }
}
