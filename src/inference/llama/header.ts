import { Refusal } from './refusal.ts'

/** What a GGUF file says of itself, as far as its need for memory follows from it. */
export interface GgufHeader {
  architecture: string
  /** Of the file, in bytes. */
  bytes: number
  layers: number
  /** Tokens that it was trained for; null where it does not say. */
  context: number | null
  /** Numbers that one token adds to the memory of one layer. */
  keysAndValues: number
  vocabulary: number
}

type Value = number | string | boolean | { length: number; first: number[] }

/** Vocabularies of a quarter of a million tokens take some 12 MB of it. */
const maxHeader = 64 * 1024 * 1024
/** More entries than any model has: whoever claims more wants to keep us busy. */
const maxEntries = 10_000

/** Bytes of the fixed types, by their number; 8 is text, 9 a list. */
const widths: Readonly<Record<number, number>> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
}

/**
 * Reads the beginning of a model file without trusting it: every length is held against what is there.
 * Throws `Refusal` where it is no GGUF file, is cut off or holds no language model.
 */
export async function readHeader(path: string): Promise<GgufHeader> {
  const file = Bun.file(path)
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (!(await file.exists())) throw new Refusal('down', `the model file ${name} is not there: add it again`)
  const start = new Uint8Array(await file.slice(0, Math.min(file.size, maxHeader)).arrayBuffer())
  try {
    return summary(new Reader(start), file.size)
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (error instanceof RangeError) throw new Refusal('down', `${name} is cut off or damaged: copy it again`)
    throw new Refusal('down', `${name} ${error instanceof Error ? error.message : error}`)
  }
}

function summary(reader: Reader, bytes: number): GgufHeader {
  if (reader.bytes(4) !== 'GGUF') throw new Error('is no GGUF file: language models are .gguf files')
  const version = reader.u32()
  if (version !== 2 && version !== 3) throw new Error(`is GGUF version ${version}, which is not supported`)
  const tensors = reader.u64()
  const entries = reader.u64()
  if (tensors === 0) throw new Error('holds a vocabulary only: choose the file with the model')
  if (tensors > maxEntries || entries > maxEntries) throw new RangeError('too many entries')
  const values = new Map<string, Value>()
  for (let i = 0; i < entries; i++) values.set(reader.text(), reader.value(reader.u32()))

  const architecture = values.get('general.architecture')
  if (typeof architecture !== 'string')
    throw new Error('does not say what kind of model it is: choose another')
  const count = (key: string): number | null => {
    const value = values.get(`${architecture}.${key}`)
    if (typeof value === 'number') return value
    // Some models have their own number for each layer.
    return typeof value === 'object' && value.first.length > 0 ? Math.max(...value.first) : null
  }
  const layers = count('block_count')
  const embedding = count('embedding_length')
  const vocabulary = values.get('tokenizer.ggml.tokens')
  if (layers === null || embedding === null || typeof vocabulary !== 'object')
    throw new Error(`is a ${architecture.slice(0, 30)} file without a language model in it: choose another`)
  const heads = count('attention.head_count') ?? 1
  const head = embedding / Math.max(1, heads)
  const width = (count('attention.key_length') ?? head) + (count('attention.value_length') ?? head)
  return {
    architecture,
    bytes,
    layers,
    context: count('context_length'),
    keysAndValues: (count('attention.head_count_kv') ?? heads) * width,
    vocabulary: vocabulary.length,
  }
}

/** Reads little-endian numbers and texts; a `RangeError` where there is no more. */
class Reader {
  readonly #view: DataView
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  u32(): number {
    return this.#view.getUint32(this.#skip(4), true)
  }

  u64(): number {
    return Number(this.#view.getBigUint64(this.#skip(8), true))
  }

  bytes(length: number): string {
    const at = this.#skip(length)
    return Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + at, length).toString('utf8')
  }

  text(): string {
    return this.bytes(this.u64())
  }

  value(type: number): Value {
    if (type === 8) return this.text()
    if (type === 9) return this.#list()
    const width = widths[type]
    if (width === undefined) throw new RangeError('a type that there is not')
    const at = this.#skip(width)
    if (type === 7) return this.#view.getUint8(at) !== 0
    if (type === 6) return this.#view.getFloat32(at, true)
    if (type === 12) return this.#view.getFloat64(at, true)
    if (width === 8) return Number(this.#view.getBigUint64(at, true))
    if (width === 4) return this.#view.getUint32(at, true)
    return width === 2 ? this.#view.getUint16(at, true) : this.#view.getUint8(at)
  }

  /** A list's length, and its numbers where it has few; nothing is kept of what is long. */
  #list(): Value {
    const type = this.u32()
    const length = this.u64()
    const width = widths[type]
    if (type === 8) {
      for (let i = 0; i < length; i++) this.#skip(this.u64())
      return { length, first: [] }
    }
    if (width === undefined) throw new RangeError('a list of what there is not')
    if (length > 1024) {
      this.#skip(length * width)
      return { length, first: [] }
    }
    const first: number[] = []
    for (let i = 0; i < length; i++) {
      const item = this.value(type)
      if (typeof item === 'number') first.push(item)
    }
    return { length, first }
  }

  #skip(bytes: number): number {
    const at = this.#at
    if (!(bytes >= 0) || at + bytes > this.#view.byteLength) throw new RangeError('cut off')
    this.#at += bytes
    return at
  }
}
