/** The format of GGUF files: what a file says of itself, read without trusting it. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { basename } from 'node:path'
import { GatehouseError } from '../core/index.ts'
import { ByteReader, CutOff } from './gguf-bytes.ts'

export type GgufValue = number | string | boolean | { length: number; first: number[] }

export interface GgufTensor {
  name: string
  shape: readonly number[]
  /** Number of its type. */
  type: number
  /** From where the weights begin, bytes. */
  offset: number
}

export interface Gguf {
  /** For people, in errors. */
  name: string
  version: number
  /** Of the file. */
  bytes: number
  values: ReadonlyMap<string, GgufValue>
  tensors: readonly GgufTensor[]
  /** Where the weights begin. */
  weightsFrom: number
}

/** Where bytes come from: `read` fills as much as there is from `at` on and says how much. */
export interface GgufSource {
  name: string
  size: number
  read(into: Uint8Array, at: number): number
}

/** Vocabularies of a quarter of a million tokens take some 12 MB of it. */
export const maxGgufHeader = 64 * 1024 * 1024
/** More entries than any model has: whoever claims more wants to keep us busy. */
const maxEntries = 10_000
const maxItems = 4_000_000
const maxKey = 1024
const maxText = 1024 * 1024
const maxTensorName = 256
const maxDimensions = 4

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
/** A list's numbers are kept where it has no more than that. */
const maxKept = 1024

/** Reads the head of a file. Throws `GatehouseError` `model_invalid`: no GGUF file, cut off, damaged or too large. */
export function readGgufFile(path: string, name = ggufName(path)): Gguf {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    throw invalid(name, 'cannot be read: check its path and its rights')
  }
  try {
    const { size } = fstatSync(file)
    return readGguf({ name, size, read: (into, at) => readSync(file, into, 0, into.length, at) })
  } catch (error) {
    throw error instanceof GatehouseError ? error : invalid(name, 'cannot be read: copy it again')
  } finally {
    closeSync(file)
  }
}

/** The same from any source; reads at most `maxGgufHeader` and one window. */
export function readGguf(source: GgufSource): Gguf {
  try {
    return headOf(source, new ByteReader(source, Math.min(source.size, maxGgufHeader)))
  } catch (error) {
    if (error instanceof GatehouseError) throw error
    if (error instanceof CutOff) throw invalid(source.name, 'is cut off or damaged: copy it again')
    throw error
  }
}

/** A file's name as it may stand in a line for people. */
export function ggufName(path: string): string {
  return basename(path)
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 80)
}

function headOf({ name, size }: GgufSource, reader: ByteReader): Gguf {
  if (reader.latin(4) !== 'GGUF') throw invalid(name, 'is no GGUF file: language models are .gguf files')
  const version = reader.u32()
  if (version !== 2 && version !== 3)
    throw invalid(name, `is GGUF version ${version}, which is not supported: choose a newer file`)
  const tensorCount = reader.u64()
  const entries = reader.u64()
  if (tensorCount > maxEntries || entries > maxEntries)
    throw invalid(name, 'claims more entries than any model has: it is damaged, copy it again')
  const values = new Map<string, GgufValue>()
  for (let i = 0; i < entries; i++) values.set(reader.text(maxKey), readValue(reader))
  const tensors = Array.from({ length: tensorCount }, () => tensorOf(reader))
  const alignment = alignmentOf(values.get('general.alignment'))
  return {
    name,
    version,
    bytes: size,
    values,
    tensors,
    weightsFrom: Math.ceil(reader.at / alignment) * alignment,
  }
}

function readValue(reader: ByteReader): GgufValue {
  const type = reader.u32()
  if (type === 8) return reader.text(maxText)
  return type === 9 ? listOf(reader) : scalarOf(reader, type)
}

function scalarOf(reader: ByteReader, type: number): number | boolean {
  switch (type) {
    case 0:
      return reader.view(1).getUint8(0)
    case 1:
      return reader.view(1).getInt8(0)
    case 2:
      return reader.view(2).getUint16(0, true)
    case 3:
      return reader.view(2).getInt16(0, true)
    case 4:
      return reader.u32()
    case 5:
      return reader.view(4).getInt32(0, true)
    case 6:
      return reader.view(4).getFloat32(0, true)
    case 7:
      return reader.view(1).getUint8(0) !== 0
    case 10:
      return reader.u64()
    case 11:
      return Number(reader.view(8).getBigInt64(0, true))
    case 12:
      return reader.view(8).getFloat64(0, true)
    default:
      throw new CutOff()
  }
}

/** A list's length, and its numbers where it has few; nothing is kept of what is long. */
function listOf(reader: ByteReader): GgufValue {
  const type = reader.u32()
  const length = reader.u64()
  if (length > maxItems) throw new CutOff()
  if (type === 8) {
    for (let i = 0; i < length; i++) reader.skip(reader.u64())
    return { length, first: [] }
  }
  const width = widths[type]
  if (width === undefined) throw new CutOff()
  if (length > maxKept) {
    reader.skip(length * width)
    return { length, first: [] }
  }
  const first: number[] = []
  for (let i = 0; i < length; i++) {
    const item = scalarOf(reader, type)
    if (typeof item === 'number') first.push(item)
  }
  return { length, first }
}

function tensorOf(reader: ByteReader): GgufTensor {
  const name = reader.text(maxTensorName)
  const dimensions = reader.u32()
  if (dimensions > maxDimensions) throw new CutOff()
  const shape = Array.from({ length: dimensions }, () => reader.u64())
  return { name, shape, type: reader.u32(), offset: reader.u64() }
}

function alignmentOf(value: GgufValue | undefined): number {
  if (value === undefined) return 32
  const good = typeof value === 'number' && value >= 8 && value <= 65_536 && (value & (value - 1)) === 0
  if (!good) throw new CutOff()
  return value
}

function invalid(name: string, why: string): GatehouseError {
  return new GatehouseError('model_invalid', `${name} ${why}`)
}
