/** TensorFlow's operators written out plainly over NHWC, to hold the converter against. No regard to speed. */

export interface Tensor {
  shape: number[]
  data: Float32Array
}

const size = (shape: readonly number[]) => shape.reduce((product, one) => product * one, 1)

/** Index of each axis for the element at `at`. */
function place(shape: readonly number[], at: number): number[] {
  const out = shape.map(() => 0)
  let rest = at
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    out[axis] = rest % (shape[axis] ?? 1)
    rest = Math.floor(rest / (shape[axis] ?? 1))
  }
  return out
}

function element(tensor: Tensor, where: readonly number[]): number {
  const at = tensor.shape.reduce((index, length, axis) => index * length + (where[axis] ?? 0), 0)
  return tensor.data[at] ?? Number.NaN
}

function build(shape: number[], value: (where: number[]) => number): Tensor {
  const data = Float32Array.from({ length: size(shape) }, (_, at) => value(place(shape, at)))
  return { shape, data }
}

export const map = (x: Tensor, change: (value: number) => number): Tensor => ({
  shape: x.shape,
  data: x.data.map(change),
})

/** `b` may be a vector along the last axis. */
export const add = (a: Tensor, b: Tensor): Tensor =>
  build(a.shape, where => element(a, where) + element(b, where.slice(where.length - b.shape.length)))

export const transpose = (x: Tensor, order: number[]): Tensor =>
  build(
    order.map(axis => x.shape[axis] ?? 1),
    where =>
      element(
        x,
        x.shape.map((_, axis) => where[order.indexOf(axis)] ?? 0),
      ),
  )

export const pad = (x: Tensor, paddings: [number, number][], fill: number): Tensor =>
  build(
    x.shape.map((length, axis) => length + (paddings[axis]?.[0] ?? 0) + (paddings[axis]?.[1] ?? 0)),
    where => {
      const from = where.map((index, axis) => index - (paddings[axis]?.[0] ?? 0))
      const inside = from.every((index, axis) => index >= 0 && index < (x.shape[axis] ?? 0))
      return inside ? element(x, from) : fill
    },
  )

export const concat = (parts: Tensor[], axis: number): Tensor => {
  const lengths = parts.map(part => part.shape[axis] ?? 0)
  const shape = [...(parts[0]?.shape ?? [])]
  shape[axis] = lengths.reduce((sum, one) => sum + one, 0)
  return build(shape, where => {
    let index = where[axis] ?? 0
    let part = 0
    while (index >= (lengths[part] ?? 0)) index -= lengths[part++] ?? 1
    const inner = [...where]
    inner[axis] = index
    return element(parts[part] as Tensor, inner)
  })
}

export const slice = (x: Tensor, axis: number, from: number, length: number): Tensor => {
  const shape = [...x.shape]
  shape[axis] = length
  return build(shape, where =>
    element(
      x,
      where.map((index, a) => (a === axis ? index + from : index)),
    ),
  )
}

/** Kernel HWIO, padding VALID, or SAME as TensorFlow splits it: the odd pixel at the end. */
export function convolution(x: Tensor, kernel: Tensor, stride: number, same: boolean): Tensor {
  const [h = 1, w = 1, inputs = 1, outputs = 1] = kernel.shape
  return windows(x, [h, w], stride, same, outputs, 0, (sample, o) => {
    let sum = 0
    for (let i = 0; i < h; i++) {
      for (let j = 0; j < w; j++) {
        for (let c = 0; c < inputs; c++) sum += sample(i, j, c) * element(kernel, [i, j, c, o])
      }
    }
    return sum
  })
}

export function maxPool(x: Tensor, length: number, stride: number): Tensor {
  return windows(x, [length, length], stride, false, x.shape[3] ?? 1, 0, (sample, c) => {
    let most = Number.NEGATIVE_INFINITY
    for (let i = 0; i < length; i++) for (let j = 0; j < length; j++) most = Math.max(most, sample(i, j, c))
    return most
  })
}

function windows(
  x: Tensor,
  [h, w]: [number, number],
  stride: number,
  same: boolean,
  outputs: number,
  outside: number,
  value: (sample: (i: number, j: number, c: number) => number, output: number) => number,
): Tensor {
  const [n = 1, height = 1, width = 1] = x.shape
  const count = (length: number, k: number) => Math.ceil((same ? length : length - k + 1) / stride)
  const before = (length: number, k: number) =>
    same ? Math.max(0, (count(length, k) - 1) * stride + k - length) >> 1 : 0
  const [top, left] = [before(height, h), before(width, w)]
  return build([n, count(height, h), count(width, w), outputs], ([b = 0, y = 0, z = 0, o = 0]) => {
    const sample = (i: number, j: number, c: number) => {
      const [row, column] = [y * stride + i - top, z * stride + j - left]
      return row < 0 || column < 0 || row >= height || column >= width
        ? outside
        : element(x, [b, row, column, c])
    }
    return value(sample, o)
  })
}

/** Bilinear with half-pixel centres. */
export function resize(x: Tensor, height: number, width: number): Tensor {
  const [n = 1, fromHeight = 1, fromWidth = 1, channels = 1] = x.shape
  const along = (index: number, length: number, from: number) => {
    const at = Math.min(from - 1, Math.max(0, ((index + 0.5) * from) / length - 0.5))
    const low = Math.floor(at)
    return { low, high: Math.min(from - 1, low + 1), share: at - low }
  }
  return build([n, height, width, channels], ([b = 0, y = 0, z = 0, c = 0]) => {
    const [v, u] = [along(y, height, fromHeight), along(z, width, fromWidth)]
    const row = (r: number) =>
      element(x, [b, r, u.low, c]) * (1 - u.share) + element(x, [b, r, u.high, c]) * u.share
    return row(v.low) * (1 - v.share) + row(v.high) * v.share
  })
}
