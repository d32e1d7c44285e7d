/**
 * NanoDet. Input: 416 × 416 pixels, picture in the middle on grey, BGR, ImageNet mean and deviation. Output per
 * level (a grid of cells 8, 16 or 32 pixels wide): a score per cell and label, and per cell and side of the box
 * a distribution over 0 to 10 cells of distance from the cell's middle.
 */
import type { Tensor } from 'onnxruntime-node'
import type { JobContext } from '../../inference/index.ts'
import { FAINTEST, SAME_THING } from '../detector.ts'
import { distinct } from '../geometry.ts'
import { cocoLabels } from '../labels.ts'
import type { Detected, DetectorModel } from '../protocol.ts'
import type { Box, Detection } from '../types.ts'
import type { Pixels } from './picture.ts'
import { floatsOf, network } from './session.ts'
import { tablesOf, tensorOf } from './tensor.ts'

const SIZE = 416
const STRIDES = [8, 16, 32]
const BINS = 11
const PADDING = 114
const MOST_BOXES = 2000

/** Blue, green, red. */
const tables = tablesOf([103.53, 116.28, 123.675], [57.375, 57.12, 58.395])

/** Where the picture lies in the network's square. */
export interface Frame {
  /** Pixels of the square per pixel of the picture. */
  scale: number
  width: number
  height: number
  left: number
  top: number
}

export function frameFor(width: number, height: number): Frame {
  const scale = SIZE / Math.max(width, height)
  const w = Math.max(1, Math.round(width * scale))
  const h = Math.max(1, Math.round(height * scale))
  return { scale, width: w, height: h, left: (SIZE - w) >> 1, top: (SIZE - h) >> 1 }
}

/**
 * `pixels` must have the frame's size; `width` and `height` are those of the upright picture, in whose pixels the
 * boxes are given.
 */
export async function detect(
  context: JobContext,
  model: DetectorModel,
  pixels: Pixels,
  frame: Frame,
  width: number,
  height: number,
): Promise<Detected> {
  const { run } = await network(context, model.graph, 'fixed')
  const { left, top } = frame
  const square = { width: SIZE, height: SIZE, left, top, padding: PADDING }
  const levels = levelsOf(await run(tensorOf(pixels, tables, square), [1, 3, SIZE, SIZE]))
  const hints = levels.flatMap(level => hintsOf(level, frame, width, height))
  hints.sort((a, b) => b.score - a.score)
  return sorted(hints.slice(0, MOST_BOXES), model.threshold)
}

interface Level {
  stride: number
  scores: Float32Array
  distances: Float32Array
}

/** Outputs are told apart by their shape: cells × labels and cells × four distributions. */
function levelsOf(outputs: Record<string, Tensor>): Level[] {
  const tensors = Object.values(outputs)
  return STRIDES.map(stride => {
    const cells = (SIZE / stride) ** 2
    const shaped = (depth: number) => tensors.find(({ dims }) => dims[1] === cells && dims[2] === depth)
    return { stride, scores: floatsOf(shaped(cocoLabels.length)), distances: floatsOf(shaped(4 * BINS)) }
  })
}

function hintsOf(level: Level, frame: Frame, width: number, height: number): Detection[] {
  const { stride, scores, distances } = level
  const count = cocoLabels.length
  const columns = SIZE / stride
  const found: Detection[] = []
  for (let at = 0; at < scores.length; at++) {
    const score = scores[at] as number
    if (score < FAINTEST) continue
    const cell = Math.floor(at / count)
    const x = ((cell % columns) + 0.5) * stride - frame.left
    const y = (Math.floor(cell / columns) + 0.5) * stride - frame.top
    const [left, top, right, bottom] = [0, 1, 2, 3].map(
      side => expected(distances, (cell * 4 + side) * BINS) * stride,
    ) as Box
    const across = (value: number) => Math.min(width, Math.max(0, value / frame.scale))
    const down = (value: number) => Math.min(height, Math.max(0, value / frame.scale))
    const box: Box = [across(x - left), down(y - top), across(x + right), down(y + bottom)]
    if (box[2] - box[0] < 1 || box[3] - box[1] < 1) continue
    found.push({ label: cocoLabels[at % count] ?? '', score: Math.min(1, score), box })
  }
  return found
}

/** Mean of the distribution whose logits begin at `from`, in cells. */
function expected(logits: Float32Array, from: number): number {
  let most = Number.NEGATIVE_INFINITY
  for (let i = 0; i < BINS; i++) most = Math.max(most, logits[from + i] as number)
  let mass = 0
  let sum = 0
  for (let i = 0; i < BINS; i++) {
    const weight = Math.exp((logits[from + i] as number) - most)
    mass += weight
    sum += weight * i
  }
  return sum / mass
}

/** One box per thing and label; what stays under the threshold only counts as a hint. `hints` come best first. */
function sorted(hints: Detection[], threshold: number): Detected {
  const detections: Detection[] = []
  const below: Record<string, number> = {}
  for (const [label, same] of Map.groupBy(hints, hint => hint.label)) {
    for (const one of distinct(same, SAME_THING)) {
      if (one.score >= threshold) detections.push(one)
      else below[label] ??= one.score
    }
  }
  detections.sort((a, b) => b.score - a.score)
  return { detections, below }
}
