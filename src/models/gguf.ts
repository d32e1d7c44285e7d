/** What a GGUF file is worth to this box, read from its head. */
import { GatehouseError } from '../core/index.ts'
import { type GgufHeader, headerOf, needOf, readGgufFile, weightsOf } from '../inference/index.ts'
import type { ModelFacts } from './record.ts'

/** Tokens that question and answer may have together: the first of these that fits. */
const CONTEXTS = [8192, 4096]
/** Tokens that are computed at once. */
const BATCH = 64

/** Reads it without trusting it. Throws `GatehouseError` `model_invalid`. `warnings`: what its owner should know. */
export function inspectGguf(path: string, name: string): { facts: ModelFacts; warnings: string[] } {
  const gguf = readGgufFile(path, name)
  const { quantisation, parameters } = weightsOf(gguf)
  const architecture = textOf(gguf.values.get('general.architecture'))
  const common = { format: 'gguf', architecture, quantisation, parameters } as const
  const parts = gguf.values.get('split.count')
  if (typeof parts === 'number' && parts > 1)
    throw new GatehouseError(
      'model_invalid',
      `${gguf.name} is one of ${parts} parts, and only whole models run here: choose one that is one file`,
    )
  if (architecture === 'clip') {
    return {
      facts: { ...common, task: 'see', context: null, needBytes: gguf.bytes },
      warnings: [`${gguf.name} is the eye of a model that sees: it runs in a server beside Gatehouse only`],
    }
  }
  const header = headerOf(gguf)
  const warnings: string[] = []
  if (!gguf.values.has('tokenizer.chat_template'))
    warnings.push(`${gguf.name} has no chat template: choose one that was made to follow instructions`)
  if (header.context !== null && header.context < 2048)
    warnings.push(`${gguf.name} was made for ${header.context} tokens, which is too short for most steps`)
  const needBytes = needOf(header, contextOf(header, CONTEXTS[0] ?? 0), BATCH)
  return { facts: { ...common, task: 'language', context: header.context, needBytes }, warnings }
}

/**
 * Tokens of conversation that a model is given on a box with so much room (null: not known): 8,192, or 4,096 where that
 * does not fit; never more than it was made for. A file that cannot be read gets most, and is refused when it is asked.
 */
export function contextFor(path: string, roomBytes: number | null): number {
  const [most = 0, least = 0] = CONTEXTS
  try {
    const header = headerOf(readGgufFile(path))
    const fits = roomBytes === null || needOf(header, contextOf(header, most), BATCH) <= roomBytes
    return contextOf(header, fits ? most : least)
  } catch {
    return most
  }
}

function contextOf({ context }: GgufHeader, tokens: number): number {
  return Math.min(tokens, context ?? tokens)
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value.replace(/[^\x20-\x7e]/g, '?').slice(0, 60) : null
}
