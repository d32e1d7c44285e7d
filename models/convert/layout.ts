/**
 * Values seen through a transposition that is not written yet. The source graph turns NCHW to NHWC and back
 * around every convolution; followed symbolically, these turns cancel and never reach the ONNX file.
 */
import type { OnnxGraph } from './onnx.ts'

export interface Value {
  /** Tensor in the ONNX graph. */
  tensor: string
  /** Axis `i` of the value is axis `axes[i]` of the tensor; null: the tensor as it is, of whatever rank. */
  axes: number[] | null
}

const NHWC_TO_NCHW = [0, 3, 1, 2]
const NCHW_TO_NHWC = [0, 2, 3, 1]

export function transposed(value: Value, order: number[]): Value {
  const axes = order.map(axis => axisOf(value, axis))
  return { tensor: value.tensor, axes: axes.every((axis, i) => axis === i) ? null : axes }
}

/** The tensor's axis behind the value's `axis`. */
export function axisOf(value: Value, axis: number): number {
  return value.axes?.[axis] ?? axis
}

/** A tensor that holds the value as it is, with the transposition written out where one is left. */
export function written(graph: OnnxGraph, value: Value): string {
  return value.axes ? graph.node('Transpose', [value.tensor], { perm: value.axes }) : value.tensor
}

/** The value, which is NHWC, as an NCHW tensor. */
export function channelsFirst(graph: OnnxGraph, value: Value): string {
  return written(graph, transposed(value, NHWC_TO_NCHW))
}

/** An NCHW tensor as the NHWC value that the source graph means. */
export function channelsLast(tensor: string): Value {
  return { tensor, axes: NCHW_TO_NHWC }
}

/** Brings values to one layout, so that an operator can take their tensors side by side. */
export function aligned(graph: OnnxGraph, values: Value[]): { tensors: string[]; axes: number[] | null } {
  const axes = values[0]?.axes ?? null
  if (values.every(value => String(value.axes) === String(axes))) {
    return { tensors: values.map(value => value.tensor), axes }
  }
  return { tensors: values.map(value => written(graph, value)), axes: null }
}
