/** The converter against plain reference code, operator by operator, run by the real runtime. */
import { afterAll, describe, expect, it } from 'vitest'
import { toOnnx } from '../../models/convert/convert.ts'
import { Message } from '../../models/convert/protobuf.ts'
import { type Constant, type GraphModel, type GraphNode, halfToFloat } from '../../models/convert/tfjs.ts'
import { inferenceProcess } from '../vision/context.ts'
import {
  add,
  concat,
  convolution,
  map,
  maxPool,
  pad,
  resize,
  slice,
  type Tensor,
  transpose,
} from './reference.ts'

const inference = inferenceProcess()
afterAll(() => inference.stop())

/** Numbers from a fixed seed, −1 to 1. */
function random(shape: number[], seed = 1): Tensor {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return state / 0x3fffffff - 1
  }
  return { shape, data: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, next) }
}

const base64 = (text: string) => ({ s: Buffer.from(text).toString('base64') })
const ints = (values: number[]) => ({ list: { i: values.map(String) } })
const nhwc = { data_format: base64('NHWC') }

class Builder {
  readonly nodes = new Map<string, GraphNode>()
  readonly constants = new Map<string, Constant>()
  readonly shape: number[]

  constructor(shape: number[]) {
    this.shape = shape
    const dim = shape.map(size => ({ size: String(size) }))
    this.nodes.set('x', {
      name: 'x',
      op: 'Placeholder',
      inputs: [],
      attributes: { shape: { shape: { dim } } },
    })
  }

  whole(values: number[], shape = [values.length]): string {
    return this.#constant({ shape, data: Float32Array.from(values), whole: true })
  }

  floats({ shape, data }: Tensor): string {
    return this.#constant({ shape, data, whole: false })
  }

  node(op: string, inputs: string[], attributes: GraphNode['attributes'] = {}): string {
    const name = `${op}${this.nodes.size}`
    this.nodes.set(name, { name, op, inputs, attributes })
    return name
  }

  async run(output: string, shape: number[], data: Float32Array): Promise<Tensor> {
    const model: GraphModel = {
      nodes: this.nodes,
      constants: this.constants,
      outputs: [{ name: output, shape }],
    }
    const payload = { model: toOnnx(model), input: { name: 'x', shape: this.shape, data } }
    const answer = await inference.call<Record<string, Tensor>>('runGraph', payload, { timeoutMs: 20_000 })
    return answer[output] as Tensor
  }

  #constant(constant: Constant): string {
    const name = `const${this.nodes.size}`
    this.constants.set(name, constant)
    this.nodes.set(name, { name, op: 'Const', inputs: [], attributes: {} })
    return name
  }
}

function expectSame(got: Tensor, wanted: Tensor): void {
  expect(got.shape).toEqual(wanted.shape)
  const worst = wanted.data.reduce(
    (most, value, i) => Math.max(most, Math.abs(value - (got.data[i] ?? NaN))),
    0,
  )
  expect(worst).toBeLessThan(1e-5)
}

type Case = (graph: Builder, x: Tensor) => { output: string; wanted: Tensor }

const cases: Record<string, Case> = {
  'Conv2D without padding': (graph, x) => {
    const kernel = random([3, 3, 4, 5], 2)
    const attributes = {
      ...nhwc,
      padding: base64('VALID'),
      strides: ints([1, 2, 2, 1]),
      dilations: ints([1, 1, 1, 1]),
    }
    const output = graph.node('Conv2D', ['x', graph.floats(kernel)], attributes)
    return { output, wanted: convolution(x, kernel, 2, false) }
  },
  'Conv2D padded to the same size': (graph, x) => {
    const kernel = random([3, 3, 4, 2], 3)
    const attributes = {
      ...nhwc,
      padding: base64('SAME'),
      strides: ints([1, 2, 2, 1]),
      dilations: ints([1, 1, 1, 1]),
    }
    const output = graph.node('Conv2D', ['x', graph.floats(kernel)], attributes)
    return { output, wanted: convolution(x, kernel, 2, true) }
  },
  'Conv2D, bias and LeakyRelu behind transpositions': (graph, x) => {
    const [kernel, bias] = [random([1, 1, 4, 3], 4), random([3], 5)]
    const attributes = {
      ...nhwc,
      padding: base64('VALID'),
      strides: ints([1, 1, 1, 1]),
      dilations: ints([1, 1, 1, 1]),
    }
    const convolved = graph.node('Conv2D', ['x', graph.floats(kernel)], attributes)
    const biased = graph.node('Add', [convolved, graph.floats(bias)])
    const turned = graph.node('Transpose', [biased, graph.whole([0, 3, 1, 2])])
    const output = graph.node('LeakyRelu', [turned], { alpha: { f: 0.1 } })
    const plain = transpose(add(convolution(x, kernel, 1, false), bias), [0, 3, 1, 2])
    return { output, wanted: map(plain, value => (value < 0 ? value * 0.1 : value)) }
  },
  MaxPool: (graph, x) => {
    const attributes = {
      ...nhwc,
      padding: base64('VALID'),
      ksize: ints([1, 3, 3, 1]),
      strides: ints([1, 2, 2, 1]),
    }
    return { output: graph.node('MaxPool', ['x'], attributes), wanted: maxPool(x, 3, 2) }
  },
  'Pad of a transposed value': (graph, x) => {
    const turned = graph.node('Transpose', ['x', graph.whole([0, 3, 1, 2])])
    const output = graph.node('Pad', [turned, graph.whole([0, 0, 1, 0, 2, 1, 0, 3], [4, 2])])
    const paddings: [number, number][] = [
      [0, 0],
      [1, 0],
      [2, 1],
      [0, 3],
    ]
    return { output, wanted: pad(transpose(x, [0, 3, 1, 2]), paddings, 0) }
  },
  'PadV2 with a value': (graph, x) => {
    const fill = graph.floats({ shape: [], data: Float32Array.of(-7) })
    const output = graph.node('PadV2', ['x', graph.whole([0, 0, 1, 1, 1, 1, 0, 0], [4, 2]), fill])
    const paddings: [number, number][] = [
      [0, 0],
      [1, 1],
      [1, 1],
      [0, 0],
    ]
    return { output, wanted: pad(x, paddings, -7) }
  },
  'ResizeBilinear, larger and smaller': (graph, x) => {
    const centres = { half_pixel_centers: { b: true }, align_corners: { b: false } }
    const larger = graph.node('ResizeBilinear', ['x', graph.whole([18, 13])], centres)
    const output = graph.node('ResizeBilinear', [larger, graph.whole([5, 6])], centres)
    return { output, wanted: resize(resize(x, 18, 13), 5, 6) }
  },
  'ConcatV2 of values that are turned differently': (graph, x) => {
    const there = graph.node('Transpose', ['x', graph.whole([0, 3, 1, 2])])
    const back = graph.node('Sigmoid', [graph.node('Transpose', [there, graph.whole([0, 2, 3, 1])])])
    const side = graph.node('Transpose', ['x', graph.whole([0, 2, 1, 3])])
    const again = graph.node('Transpose', [side, graph.whole([0, 2, 1, 3])])
    const output = graph.node('ConcatV2', [back, again, graph.whole([3], [])])
    return { output, wanted: concat([map(x, value => 1 / (1 + Math.exp(-value))), x], 3) }
  },
  'ConcatV2 of a turned value and a plain one': (graph, x) => {
    const square = graph.node('Transpose', ['x', graph.whole([0, 2, 1, 3])])
    const rows = graph.node('ResizeBilinear', ['x', graph.whole([8, 9])], { half_pixel_centers: { b: true } })
    const output = graph.node('ConcatV2', [square, rows, graph.whole([1], [])])
    return { output, wanted: concat([transpose(x, [0, 2, 1, 3]), resize(x, 8, 9)], 1) }
  },
  'SplitV along channels of a transposed value': (graph, x) => {
    const turned = graph.node('Transpose', ['x', graph.whole([0, 3, 1, 2])])
    const parts = graph.node('SplitV', [turned, graph.whole([1, 3]), graph.whole([1], [])])
    const output = graph.node('Add', [`${parts}:1`, `${parts}:1`])
    return { output, wanted: map(slice(transpose(x, [0, 3, 1, 2]), 1, 1, 3), value => value * 2) }
  },
  'Reshape of a transposed value to a folded shape': (graph, x) => {
    const places = graph.whole([1], [1, 1])
    const filled = graph.node('SparseToDense', [
      places,
      graph.whole([2]),
      graph.whole([71]),
      graph.whole([4], []),
    ])
    const shape = graph.node('AddV2', [filled, graph.whole([0, 1])])
    const turned = graph.node('Transpose', ['x', graph.whole([0, 3, 1, 2])])
    const output = graph.node('Reshape', [turned, shape])
    return { output, wanted: { shape: [4, 72], data: transpose(x, [0, 3, 1, 2]).data } }
  },
}

describe('the converter', () => {
  it.each(Object.entries(cases))('%s', async (_, make) => {
    const x = random([1, 9, 8, 4])
    const graph = new Builder(x.shape)
    const { output, wanted } = make(graph, x)
    expectSame(await graph.run(graph.node('Identity', [output]), wanted.shape, x.data), wanted)
  })

  it.each([
    ['an operator that it does not know', (graph: Builder) => graph.node('Erf', ['x']), /Erf/],
    ['a kernel that is computed', (graph: Builder) => graph.node('Conv2D', ['x', 'x'], nhwc), /constant/],
    ['a value that is not there', (graph: Builder) => graph.node('Sigmoid', ['nowhere']), /nowhere/],
  ])('refuses %s', (_, make, message) => {
    const graph = new Builder([1, 9, 8, 4])
    const output = make(graph)
    const { nodes, constants } = graph
    expect(() => toOnnx({ nodes, constants, outputs: [{ name: output, shape: [1] }] })).toThrow(message)
  })
})

describe('the parts of the converter', () => {
  it.each([
    [0x3c00, 1],
    [0xc000, -2],
    [0x7bff, 65504],
    [0x0001, 2 ** -24],
    [0x8000, -0],
    [0x7c00, Number.POSITIVE_INFINITY],
    [0x7e00, Number.NaN],
  ])('half precision %#x is %d', (bits, value) => {
    expect(halfToFloat(bits)).toBe(value)
  })

  it('writes protocol buffers as their documentation shows them', () => {
    const hex = (message: Message) => Buffer.from(message.encode()).toString('hex')
    expect(hex(new Message().int(1, 150))).toBe('089601')
    expect(hex(new Message().add(2, 'testing'))).toBe('120774657374696e67')
    expect(hex(new Message().add(3, new Message().int(1, 150)))).toBe('1a03089601')
    expect(hex(new Message().int(1, -2))).toBe('08feffffffffffffffff01')
    expect(hex(new Message().float(1, 1))).toBe('0d0000803f')
  })
})
