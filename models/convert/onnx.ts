/**
 * Writes an ONNX model. Field numbers are those of `onnx.proto` (ModelProto, GraphProto, NodeProto,
 * AttributeProto, TensorProto), IR version 8, operator set 18.
 */
import { Message } from './protobuf.ts'

const IR_VERSION = 8
const OPERATOR_SET = 18
const FLOAT = 1
const INT64 = 7
const BOOL = 9

/** Sizes of a tensor; one that changes from run to run bears a name. */
export type Shape = readonly (number | string)[]

/** An attribute's value: whole number, `{ float }`, text, or a list of whole numbers. */
export type Attribute = number | string | number[] | { float: number }

export class OnnxGraph {
  readonly #nodes: Message[] = []
  readonly #constants: Message[] = []
  readonly #inputs: Message[] = []
  readonly #outputs: Message[] = []
  #next = 0

  input(name: string, shape: Shape, type: 'float' | 'int64' | 'bool' = 'float'): void {
    this.#inputs.push(valueInfo(name, shape, { float: FLOAT, int64: INT64, bool: BOOL }[type]))
  }

  /** Declares `value` an output under its own `name`. */
  output(name: string, value: string, shape: Shape): void {
    this.#nodes.push(nodeMessage('Identity', `node${this.#next++}`, [value], [name], {}))
    this.#outputs.push(valueInfo(name, shape, FLOAT))
  }

  floats(shape: number[], data: Float32Array): string {
    return this.#constant(FLOAT, shape, data)
  }

  /** A list of 64-bit whole numbers. */
  ints(values: number[]): string {
    return this.#constant(INT64, [values.length], BigInt64Array.from(values, BigInt))
  }

  /** Adds a node with one output; answers the output's name. An empty input name is an input left out. */
  node(operator: string, inputs: string[], attributes: Record<string, Attribute> = {}): string {
    return this.nodes(operator, inputs, 1, attributes)[0] ?? ''
  }

  /** Adds a node with `count` outputs. */
  nodes(operator: string, inputs: string[], count: number, attributes: Record<string, Attribute>): string[] {
    const id = this.#next++
    const outputs = Array.from({ length: count }, (_, i) => `v${id}_${i}`)
    this.#nodes.push(nodeMessage(operator, `node${id}`, inputs, outputs, attributes))
    return outputs
  }

  encode(producer: string): Uint8Array {
    const graph = new Message()
    for (const node of this.#nodes) graph.add(1, node)
    graph.add(2, 'graph')
    for (const constant of this.#constants) graph.add(5, constant)
    for (const input of this.#inputs) graph.add(11, input)
    for (const output of this.#outputs) graph.add(12, output)
    const operators = new Message().add(1, '').int(2, OPERATOR_SET)
    return new Message().int(1, IR_VERSION).add(2, producer).add(7, graph).add(8, operators).encode()
  }

  #constant(type: number, shape: number[], data: Float32Array | BigInt64Array): string {
    const name = `c${this.#next++}`
    const tensor = new Message()
    for (const size of shape) tensor.int(1, size)
    tensor
      .int(2, type)
      .add(8, name)
      .add(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    this.#constants.push(tensor)
    return name
  }
}

function nodeMessage(
  operator: string,
  name: string,
  inputs: string[],
  outputs: string[],
  attributes: Record<string, Attribute>,
): Message {
  const node = new Message()
  for (const input of inputs) node.add(1, input)
  for (const output of outputs) node.add(2, output)
  node.add(3, name).add(4, operator)
  for (const [key, value] of Object.entries(attributes)) node.add(5, attributeMessage(key, value))
  return node
}

function attributeMessage(name: string, value: Attribute): Message {
  const attribute = new Message().add(1, name)
  if (typeof value === 'string') return attribute.add(4, value).int(20, 3)
  if (typeof value === 'number') return attribute.int(3, value).int(20, 2)
  if (!Array.isArray(value)) return attribute.float(2, value.float).int(20, 1)
  for (const entry of value) attribute.int(8, entry)
  return attribute.int(20, 7)
}

function valueInfo(name: string, shape: Shape, type: number): Message {
  const sizes = new Message()
  for (const size of shape)
    sizes.add(1, typeof size === 'string' ? new Message().add(2, size) : new Message().int(1, size))
  const tensor = new Message().int(1, type).add(2, sizes)
  return new Message().add(1, name).add(2, new Message().add(1, tensor))
}
