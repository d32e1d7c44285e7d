/** Reads a TensorFlow.js graph model: `model.json` (nodes, signature, list of weights) and its `.bin` files. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A weight or a folded constant; whole numbers and floats alike are kept as numbers. */
export interface Constant {
  shape: number[]
  data: Float32Array
  whole: boolean
}

export interface GraphNode {
  name: string
  op: string
  /** `name` or `name:2` for the third output; control inputs are left out. */
  inputs: string[]
  attributes: Record<string, RawAttribute>
}

interface RawAttribute {
  i?: string | number
  f?: number
  b?: boolean
  s?: string
  list?: { i?: (string | number)[] }
  shape?: { dim?: { size: string }[] }
}

export interface GraphModel {
  nodes: Map<string, GraphNode>
  constants: Map<string, Constant>
  /** Output names and shapes, as signed. */
  outputs: { name: string; shape: number[] }[]
}

interface RawModel {
  modelTopology: {
    node: { name: string; op: string; input?: string[]; attr?: Record<string, RawAttribute> }[]
  }
  signature: { outputs: Record<string, { name: string; tensorShape: { dim: { size: string }[] } }> }
  weightsManifest: { paths: string[]; weights: RawWeight[] }[]
}

interface RawWeight {
  name: string
  shape: number[]
  dtype: string
  quantization?: { dtype: string }
}

export function readGraphModel(jsonPath: string): GraphModel {
  const raw = JSON.parse(readFileSync(jsonPath, 'utf8')) as RawModel
  const nodes = new Map<string, GraphNode>()
  for (const { name, op, input, attr } of raw.modelTopology.node) {
    const inputs = (input ?? []).filter(from => !from.startsWith('^')).map(from => from.replace(/:0$/, ''))
    nodes.set(name, { name, op, inputs, attributes: attr ?? {} })
  }
  const constants = new Map<string, Constant>()
  for (const { paths, weights } of raw.weightsManifest) {
    const bytes = Buffer.concat(paths.map(path => readFileSync(join(dirname(jsonPath), path))))
    let at = 0
    for (const weight of weights) at = readWeight(weight, bytes, at, constants)
    if (at !== bytes.length) throw new Error(`${jsonPath}: weights end at byte ${at} of ${bytes.length}`)
  }
  const outputs = Object.values(raw.signature.outputs).map(({ name, tensorShape }) => ({
    name: name.replace(/:0$/, ''),
    shape: tensorShape.dim.map(dim => Number(dim.size)),
  }))
  // The order of the signature's keys carries no meaning: sorted, the file made of it is always the same.
  outputs.sort((a, b) => (a.name < b.name ? -1 : 1))
  return { nodes, constants, outputs }
}

function readWeight(weight: RawWeight, bytes: Buffer, from: number, into: Map<string, Constant>): number {
  const length = weight.shape.reduce((product, size) => product * size, 1)
  const kind = weight.quantization?.dtype ?? weight.dtype
  const data = new Float32Array(length)
  const size = kind === 'float16' ? 2 : 4
  for (let i = 0; i < length; i++) {
    const at = from + i * size
    if (kind === 'float16') data[i] = halfToFloat(bytes.readUInt16LE(at))
    else if (kind === 'float32') data[i] = bytes.readFloatLE(at)
    else if (kind === 'int32') data[i] = bytes.readInt32LE(at)
    else throw new Error(`weight ${weight.name}: type ${kind} is not supported`)
  }
  into.set(weight.name, { shape: weight.shape, data, whole: weight.dtype === 'int32' })
  return from + length * size
}

/** IEEE 754 half precision. */
export function halfToFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  if (exponent === 0) return sign * 2 ** -24 * fraction
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY
  return sign * 2 ** (exponent - 15) * (1 + fraction / 1024)
}

/** A whole-number attribute list (`strides`). */
export function intsOf(node: GraphNode, name: string): number[] {
  return (node.attributes[name]?.list?.i ?? []).map(Number)
}

/** A text attribute, which the format holds in base64. */
export function textOf(node: GraphNode, name: string): string {
  return Buffer.from(node.attributes[name]?.s ?? '', 'base64').toString()
}

export function flagOf(node: GraphNode, name: string): boolean {
  return node.attributes[name]?.b === true
}

export function shapeOf(node: GraphNode): number[] {
  return (node.attributes.shape?.shape?.dim ?? []).map(dim => Number(dim.size))
}
