/** How GGUF files store weights, and whether all of them are there. */
import { GatehouseError } from '../core/index.ts'
import type { Gguf } from './gguf.ts'

/** By number: name, weights in a block, bytes of a block. */
const types: Readonly<Record<number, readonly [string, number, number]>> = {
  0: ['F32', 1, 4],
  1: ['F16', 1, 2],
  2: ['Q4_0', 32, 18],
  3: ['Q4_1', 32, 20],
  6: ['Q5_0', 32, 22],
  7: ['Q5_1', 32, 24],
  8: ['Q8_0', 32, 34],
  9: ['Q8_1', 32, 36],
  10: ['Q2_K', 256, 84],
  11: ['Q3_K', 256, 110],
  12: ['Q4_K', 256, 144],
  13: ['Q5_K', 256, 176],
  14: ['Q6_K', 256, 210],
  15: ['Q8_K', 256, 292],
  16: ['IQ2_XXS', 256, 66],
  17: ['IQ2_XS', 256, 74],
  18: ['IQ3_XXS', 256, 98],
  19: ['IQ1_S', 256, 50],
  20: ['IQ4_NL', 32, 18],
  21: ['IQ3_S', 256, 110],
  22: ['IQ2_S', 256, 82],
  23: ['IQ4_XS', 256, 136],
  24: ['I8', 1, 1],
  25: ['I16', 1, 2],
  26: ['I32', 1, 4],
  27: ['I64', 1, 8],
  28: ['F64', 1, 8],
  29: ['IQ1_M', 256, 56],
  30: ['BF16', 1, 2],
  34: ['TQ1_0', 256, 54],
  35: ['TQ2_0', 256, 66],
  39: ['MXFP4', 32, 17],
}

/** A model's weights as its file stores them. */
export interface Weights {
  /** The type of most of their bytes, such as `Q4_K`; null where none is known. */
  quantisation: string | null
  parameters: number
}

/**
 * Holds the table of weights against the file's size. Weights of a type that is not known here count as one byte.
 * Throws `GatehouseError` `model_invalid` where weights lie beyond the end: the file is cut off.
 */
export function weightsOf({ name, bytes, tensors, weightsFrom }: Gguf): Weights {
  const byType = new Map<string, number>()
  let parameters = 0
  let end = 0
  for (const { shape, type, offset } of tensors) {
    const count = shape.reduce((product, size) => product * size, 1)
    const [label, block, blockBytes] = types[type] ?? ['', count, 1]
    const size = count === 0 ? 0 : Math.ceil(count / block) * blockBytes
    if (label) byType.set(label, (byType.get(label) ?? 0) + size)
    parameters += count
    end = Math.max(end, weightsFrom + offset + size)
  }
  if (!(end <= bytes)) {
    throw new GatehouseError(
      'model_invalid',
      `${name} is cut off or damaged, its weights need ${end} bytes and it has ${bytes}: copy it again`,
    )
  }
  const [most] = [...byType].sort(([, a], [, b]) => b - a)
  return { quantisation: most?.[0] ?? null, parameters }
}
