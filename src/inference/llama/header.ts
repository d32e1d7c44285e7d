import { GatehouseError } from '../../core/index.ts'
import { type Gguf, type GgufValue, ggufName, readGgufFile } from '../gguf.ts'
import { weightsOf } from '../gguf-types.ts'
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

/**
 * Reads the beginning of a model file without trusting it. Throws `Refusal` where it is no GGUF file, is cut off or
 * holds no language model.
 */
export async function readHeader(path: string): Promise<GgufHeader> {
  if (!(await Bun.file(path).exists()))
    throw new Refusal('down', `the model file ${ggufName(path)} is not there: add it again`)
  try {
    const gguf = readGgufFile(path)
    weightsOf(gguf)
    return headerOf(gguf)
  } catch (error) {
    throw error instanceof GatehouseError ? new Refusal('down', error.message) : error
  }
}

/** What a language model's file says of it. Throws `GatehouseError` `model_invalid` where it holds none. */
export function headerOf({ name, bytes, values, tensors }: Gguf): GgufHeader {
  const no = (why: string) => new GatehouseError('model_invalid', `${name} ${why}`)
  if (tensors.length === 0) throw no('holds a vocabulary only: choose the file with the model')
  const architecture = values.get('general.architecture')
  if (typeof architecture !== 'string') throw no('does not say what kind of model it is: choose another')
  const count = (key: string) => numberOf(values.get(`${architecture}.${key}`))
  const layers = count('block_count')
  const embedding = count('embedding_length')
  const vocabulary = values.get('tokenizer.ggml.tokens')
  if (layers === null || embedding === null || typeof vocabulary !== 'object')
    throw no(
      `is a ${ggufName(architecture).slice(0, 30)} file without a language model in it: choose another`,
    )
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

function numberOf(value: GgufValue | undefined): number | null {
  if (typeof value === 'number') return value
  // Some models have their own number for each layer.
  return typeof value === 'object' && value.first.length > 0 ? Math.max(...value.first) : null
}
