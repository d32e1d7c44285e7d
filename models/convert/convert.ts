/** TensorFlow.js graph model → ONNX: the same numbers in the same order, made without any other library. */
import type { Value } from './layout.ts'
import { written } from './layout.ts'
import { OnnxGraph } from './onnx.ts'
import { operators, type Scope } from './operators.ts'
import { type Constant, type GraphModel, type GraphNode, shapeOf } from './tfjs.ts'

/** The bytes of the ONNX file. Throws where the graph uses an operator that is not written here. */
export function toOnnx(model: GraphModel): Uint8Array {
  const graph = new OnnxGraph()
  const values = new Map<string, Value>()
  const { constants } = model

  const scope: Scope = {
    graph,
    constant: (node, input) => constants.get(node.inputs[input] ?? ''),
    value(node, input) {
      const name = node.inputs[input] ?? ''
      const known = values.get(name)
      if (known) return known
      const constant = constants.get(name)
      if (!constant) throw new Error(`${node.op} ${node.name}: input ${name} is not there`)
      const value = { tensor: graph.floats(constant.shape, constant.data), axes: null }
      values.set(name, value)
      return value
    },
  }

  for (const node of inOrder(model)) {
    if (node.op === 'Const') continue
    if (node.op === 'Placeholder') {
      graph.input(node.name, shapeOf(node))
      values.set(node.name, { tensor: node.name, axes: null })
      continue
    }
    const folded = fold(node, constants)
    if (folded) {
      constants.set(node.name, folded)
      continue
    }
    const operator = operators[node.op]
    if (!operator) throw new Error(`${node.name}: operator ${node.op} is not supported`)
    operator(scope, node).forEach((value, i) => {
      values.set(i === 0 ? node.name : `${node.name}:${i}`, value)
    })
  }

  for (const { name, shape } of model.outputs) {
    const value = values.get(name)
    if (!value) throw new Error(`output ${name} is not there`)
    graph.output(name, written(graph, value), shape)
  }
  return graph.encode('gatehouse')
}

/** Every node that an output needs, each after what it takes. */
function inOrder(model: GraphModel): GraphNode[] {
  const order: GraphNode[] = []
  const seen = new Set<string>()
  const visit = (reference: string): void => {
    const name = reference.replace(/:\d+$/, '')
    if (seen.has(name)) return
    seen.add(name)
    const node = model.nodes.get(name)
    if (!node) throw new Error(`node ${name} is not there`)
    node.inputs.forEach(visit)
    order.push(node)
  }
  for (const { name } of model.outputs) visit(name)
  return order
}

/** Shape arithmetic over constants, done now: what is left in the file are plain numbers. */
function fold(node: GraphNode, constants: Map<string, Constant>): Constant | null {
  const inputs = node.inputs.map(name => constants.get(name))
  const [first, second, third, fourth] = inputs
  if (node.op === 'SparseToDense' && first && second && third && fourth) {
    const [length = 0] = second.data
    const data = new Float32Array(length).fill(fourth.data[0] ?? 0)
    first.data.forEach((place, i) => {
      data[place] = third.data[third.data.length === 1 ? 0 : i] ?? 0
    })
    if (second.data.length !== 1) throw new Error(`${node.name}: only a list can be filled`)
    return { shape: [length], data, whole: third.whole }
  }
  if ((node.op === 'AddV2' || node.op === 'Add') && first?.whole && second?.whole) {
    if (first.data.length !== second.data.length) throw new Error(`${node.name}: lists of two lengths`)
    return {
      shape: first.shape,
      data: first.data.map((value, i) => value + (second.data[i] ?? 0)),
      whole: true,
    }
  }
  return null
}
