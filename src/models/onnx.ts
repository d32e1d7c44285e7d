/** What can be seen of an ONNX file without running it: whether its parts are whole. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { GatehouseError } from '../core/index.ts'
import type { ModelFacts } from './record.ts'

/** More parts at the top than any model has. */
const maxParts = 100_000
/** Field of the graph in a model (onnx.proto). */
const GRAPH = 7

/**
 * Walks over the parts at the top of the file (a protobuf message), reading their lengths only: they have to end
 * where the file ends, and a graph has to be among them. Throws `GatehouseError` `model_invalid`.
 */
export function inspectOnnx(path: string, name: string): { facts: ModelFacts; warnings: string[] } {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const head = Buffer.alloc(24)
    let graph = false
    let at = 0
    for (let parts = 0; at < size; parts++) {
      const read = readSync(file, head, 0, head.length, at)
      const [tag, afterTag] = varint(head.subarray(0, read), 0)
      const [field, wire] = [Math.floor(tag / 8), tag % 8]
      const [length, after] =
        wire === 0 || wire === 2 ? varint(head.subarray(0, read), afterTag) : [0, afterTag]
      const bodies: Readonly<Record<number, number>> = { 0: 0, 1: 8, 2: length, 5: 4 }
      const body = bodies[wire]
      const isModel = parts > 0 || (field === 1 && wire === 0)
      if (field === 0 || body === undefined || parts > maxParts || !isModel)
        throw new GatehouseError('model_invalid', `${name} is no ONNX file: choose another`)
      graph ||= field === GRAPH && wire === 2
      at += after + body
    }
    if (at !== size || !graph)
      throw new GatehouseError('model_invalid', `${name} is cut off or damaged: copy it again`)
    const none = { architecture: null, quantisation: null, parameters: null, context: null }
    return {
      facts: { format: 'onnx', task: 'other', ...none, needBytes: size },
      warnings: [
        `${name} is kept, and nothing here uses an ONNX file by itself: a model that sees is a folder with its tokenizer and settings`,
      ],
    }
  } finally {
    closeSync(file)
  }
}

/** A number and where it ends; past the end it counts as damage that the caller finds. */
function varint(bytes: Buffer, from: number): [number, number] {
  let value = 0
  for (let at = from; at < Math.min(bytes.length, from + 10); at++) {
    const byte = bytes[at] ?? 0
    value += (byte & 0x7f) * 2 ** (7 * (at - from))
    if (byte < 0x80) return [value, at + 1]
  }
  return [0, bytes.length + 1]
}
