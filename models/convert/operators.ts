/** One function per TensorFlow operator: what it becomes in ONNX. Only what our models use. */
import { aligned, axisOf, channelsFirst, channelsLast, transposed, type Value, written } from './layout.ts'
import type { OnnxGraph } from './onnx.ts'
import { type Constant, flagOf, type GraphNode, intsOf, textOf } from './tfjs.ts'

export interface Scope {
  graph: OnnxGraph
  /** The value on the node's input; a constant becomes an initializer. */
  value(node: GraphNode, input: number): Value
  /** The constant on the node's input, or undefined. */
  constant(node: GraphNode, input: number): Constant | undefined
}

type Operator = (scope: Scope, node: GraphNode) => Value[]

const elementwise =
  (operator: string): Operator =>
  ({ graph, value }, node) => {
    const { tensor, axes } = value(node, 0)
    return [{ tensor: graph.node(operator, [tensor]), axes }]
  }

export const operators: Record<string, Operator> = {
  Add: add,
  AddV2: add,
  ConcatV2: concat,
  Conv2D: convolution,
  Identity: ({ value }, node) => [value(node, 0)],
  LeakyRelu({ graph, value }, node) {
    const { tensor, axes } = value(node, 0)
    return [
      {
        tensor: graph.node('LeakyRelu', [tensor], { alpha: { float: node.attributes.alpha?.f ?? 0.2 } }),
        axes,
      },
    ]
  },
  MaxPool: maxPool,
  Pad: pad,
  PadV2: pad,
  Reshape(scope, node) {
    const shape = scope.graph.ints(numbers(scope, node, 1))
    return [
      {
        tensor: scope.graph.node('Reshape', [written(scope.graph, scope.value(node, 0)), shape]),
        axes: null,
      },
    ]
  },
  ResizeBilinear: resize,
  Sigmoid: elementwise('Sigmoid'),
  SplitV: split,
  Transpose: (scope, node) => [transposed(scope.value(node, 0), numbers(scope, node, 1))],
}

/** Whole numbers that the node takes as a constant: sizes, axes, paddings. */
function numbers(scope: Scope, node: GraphNode, input: number): number[] {
  const constant = scope.constant(node, input)
  if (!constant) throw new Error(`${node.op} ${node.name}: input ${input} must be a constant`)
  return [...constant.data]
}

function add(scope: Scope, node: GraphNode): Value[] {
  const { graph } = scope
  const left = scope.value(node, 0)
  const bias = scope.constant(node, 1)
  if (bias?.shape.length === 1 && left.axes) {
    // A vector along the value's last axis, laid along the tensor axis behind it: stays a convolution's bias.
    const shape = left.axes.map(() => 1)
    shape[axisOf(left, left.axes.length - 1)] = bias.data.length
    return [{ tensor: graph.node('Add', [left.tensor, graph.floats(shape, bias.data)]), axes: left.axes }]
  }
  const { tensors, axes } = aligned(graph, [left, scope.value(node, 1)])
  return [{ tensor: graph.node('Add', tensors), axes }]
}

function concat(scope: Scope, node: GraphNode): Value[] {
  const count = node.inputs.length - 1
  const [axis = 0] = numbers(scope, node, count)
  const values = Array.from({ length: count }, (_, i) => scope.value(node, i))
  const { tensors, axes } = aligned(scope.graph, values)
  return [{ tensor: scope.graph.node('Concat', tensors, { axis: axes?.[axis] ?? axis }), axes }]
}

function convolution(scope: Scope, node: GraphNode): Value[] {
  requireNhwc(node)
  const kernel = scope.constant(node, 1)
  if (!kernel) throw new Error(`${node.op} ${node.name}: the kernel must be a constant`)
  const [height = 1, width = 1, inputs = 1, outputs = 1] = kernel.shape
  const weights = new Float32Array(kernel.data.length)
  // HWIO → OIHW
  for (let at = 0; at < weights.length; at++) {
    const o = at % outputs
    const i = Math.floor(at / outputs) % inputs
    const place = Math.floor(at / (outputs * inputs))
    weights[(o * inputs + i) * height * width + place] = kernel.data[at] ?? 0
  }
  const tensor = scope.graph.node(
    'Conv',
    [
      channelsFirst(scope.graph, scope.value(node, 0)),
      scope.graph.floats([outputs, inputs, height, width], weights),
    ],
    {
      kernel_shape: [height, width],
      strides: intsOf(node, 'strides').slice(1, 3),
      dilations: intsOf(node, 'dilations').slice(1, 3),
      auto_pad: autoPad(node),
    },
  )
  return [channelsLast(tensor)]
}

function maxPool(scope: Scope, node: GraphNode): Value[] {
  requireNhwc(node)
  const tensor = scope.graph.node('MaxPool', [channelsFirst(scope.graph, scope.value(node, 0))], {
    kernel_shape: intsOf(node, 'ksize').slice(1, 3),
    strides: intsOf(node, 'strides').slice(1, 3),
    auto_pad: autoPad(node),
  })
  return [channelsLast(tensor)]
}

function pad(scope: Scope, node: GraphNode): Value[] {
  const { graph } = scope
  const paddings = numbers(scope, node, 1)
  const { tensor, axes } = scope.value(node, 0)
  const rank = paddings.length / 2
  const before = new Array<number>(rank).fill(0)
  const after = new Array<number>(rank).fill(0)
  for (let axis = 0; axis < rank; axis++) {
    before[axes?.[axis] ?? axis] = paddings[2 * axis] ?? 0
    after[axes?.[axis] ?? axis] = paddings[2 * axis + 1] ?? 0
  }
  const fill = node.op === 'PadV2' ? numbers(scope, node, 2)[0] : 0
  const inputs = [tensor, graph.ints([...before, ...after]), graph.floats([], Float32Array.of(fill ?? 0))]
  return [{ tensor: graph.node('Pad', inputs), axes }]
}

function resize(scope: Scope, node: GraphNode): Value[] {
  const mode = flagOf(node, 'align_corners')
    ? 'align_corners'
    : flagOf(node, 'half_pixel_centers')
      ? 'half_pixel'
      : 'asymmetric'
  const { graph } = scope
  const image = channelsFirst(graph, scope.value(node, 0))
  // All four sizes rather than the operator's `axes`: the runtime's optimizer takes a list of two for one of four.
  const outer = graph.node('Shape', [image], { start: 0, end: 2 })
  const sizes = graph.node('Concat', [outer, graph.ints(numbers(scope, node, 1))], { axis: 0 })
  const attributes = { mode: 'linear', coordinate_transformation_mode: mode }
  return [channelsLast(graph.node('Resize', [image, '', '', sizes], attributes))]
}

function split(scope: Scope, node: GraphNode): Value[] {
  const sizes = numbers(scope, node, 1)
  const [axis = 0] = numbers(scope, node, 2)
  const value = scope.value(node, 0)
  const inputs = [value.tensor, scope.graph.ints(sizes)]
  const tensors = scope.graph.nodes('Split', inputs, sizes.length, { axis: axisOf(value, axis) })
  return tensors.map(tensor => ({ tensor, axes: value.axes }))
}

function autoPad(node: GraphNode): string {
  const padding = textOf(node, 'padding')
  if (padding === 'VALID') return 'VALID'
  if (padding === 'SAME') return 'SAME_UPPER'
  throw new Error(`${node.op} ${node.name}: padding ${padding} is not supported`)
}

function requireNhwc(node: GraphNode): void {
  if (textOf(node, 'data_format') !== 'NHWC')
    throw new Error(`${node.op} ${node.name}: only NHWC is supported`)
}
