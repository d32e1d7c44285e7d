/** What one line of text says (PaddleOCR's CTC recogniser): 48 pixels high, any width. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JobContext } from '../../inference/index.ts'
import type { ReaderModel } from '../protocol.ts'
import type { Pixels } from './picture.ts'
import { cornersOf, type Rectangle } from './rectangle.ts'
import { floatsOf, network } from './session.ts'

const HEIGHT = 48
const LEAST_WIDTH = 80
const MOST_WIDTH = 1600
/** Taller than this many times its width: a column of text, read with the head turned. */
const COLUMN = 1.5
/** Between words the scores of the space add up to 0.14 and more, within a word to 0.02 and less. */
const SPACE = 0.08

export interface Reading {
  text: string
  confidence: number
}

export async function recognise(
  context: JobContext,
  model: ReaderModel,
  pixels: Pixels,
  where: Rectangle,
): Promise<Reading> {
  const keys = await keysOf(context, model)
  const { tensor, width } = tensorOf(pixels, where)
  const { run, outputs } = await network(context, model.recognise, 'changing')
  const answer = (await run(tensor, [1, 3, HEIGHT, width]))[outputs[0] ?? '']
  const scores = floatsOf(answer)
  const classes = keys.length
  if (answer?.dims.at(-1) !== classes) throw new Error('the list of characters does not fit the text reader')
  return decode(scores, keys)
}

/** Class 0 means "nothing new here"; the space comes last and is not in the file. */
function keysOf(context: JobContext, model: ReaderModel): Promise<string[]> {
  const load = async () => {
    const text = await readFile(join(context.modelsDir, model.keys), 'utf8').catch(() => {
      throw new Error(`the list ${model.keys} cannot be read: see “gatehouse models verify”`)
    })
    return ['', ...text.replace(/\r?\n$/, '').split(/\r?\n/), ' ']
  }
  return context.resource(`keys:${model.keys}`, load, async () => {})
}

/**
 * Per step the best class; repeats and blanks drop out. A space hardly ever wins a step, for it looks like nothing:
 * it stands where its scores between two characters add up. The confidence is the mean of the characters kept.
 */
export function decode(scores: Float32Array, keys: readonly string[]): Reading {
  const classes = keys.length
  const space = classes - 1
  let text = ''
  let sum = 0
  let count = 0
  let last = 0
  let gap = 0
  for (let from = 0; from + classes <= scores.length; from += classes) {
    let best = 0
    for (let i = 1; i < space; i++) {
      if ((scores[from + i] as number) > (scores[from + best] as number)) best = i
    }
    const score = scores[from + best] as number
    const spaceScore = scores[from + space] as number
    gap += spaceScore
    if (spaceScore > score) best = 0
    if (best !== 0 && best !== last) {
      if (gap >= SPACE && text) text += ' '
      text += keys[best]
      sum += score
      count++
    }
    if (best !== 0) gap = 0
    last = best
  }
  // Wide forms of Latin letters and signs become the plain ones that people type.
  const typed = text.normalize('NFKC').replace(/ (?=[.,:;!?)])/g, '')
  return { text: typed.trim(), confidence: count ? Math.min(1, sum / count) : 0 }
}

/** The rectangle laid level and scaled to the net's height: blue, green, red, −1 to 1; grey behind it. */
function tensorOf(pixels: Pixels, where: Rectangle): { tensor: Float32Array; width: number } {
  const [topLeft, topRight, bottomRight, bottomLeft] = cornersOf(where)
  const column = where.height >= COLUMN * where.width
  // Turned by a quarter against the clock: the right side becomes the top.
  const [origin, alongEnd, downEnd] = column
    ? [topRight, bottomRight, topLeft]
    : [topLeft, topRight, bottomLeft]
  const ratio = column ? where.height / where.width : where.width / where.height
  const filled = Math.max(8, Math.min(MOST_WIDTH, Math.round(HEIGHT * ratio)))
  const width = Math.max(filled, LEAST_WIDTH)
  const plane = HEIGHT * width
  const tensor = new Float32Array(3 * plane)
  // Where many pixels fall on one, a grid of samples is averaged.
  const tall = column ? where.width : where.height
  const grid = Math.max(1, Math.min(8, Math.round(tall / HEIGHT)))
  const share = 1 / (grid * grid * 127.5)
  const sample = [0, 0, 0]
  for (let j = 0; j < HEIGHT; j++) {
    for (let i = 0; i < filled; i++) {
      sample.fill(0)
      for (let n = 0; n < grid; n++) {
        for (let m = 0; m < grid; m++) {
          const u = (i + (m + 0.5) / grid) / filled
          const v = (j + (n + 0.5) / grid) / HEIGHT
          const x = origin[0] + (alongEnd[0] - origin[0]) * u + (downEnd[0] - origin[0]) * v
          const y = origin[1] + (alongEnd[1] - origin[1]) * u + (downEnd[1] - origin[1]) * v
          addSample(pixels, x - 0.5, y - 0.5, sample)
        }
      }
      for (let channel = 0; channel < 3; channel++) {
        tensor[channel * plane + j * width + i] = (sample[2 - channel] as number) * share - 1
      }
    }
  }
  return { tensor, width }
}

/** Adds the colour at a point between pixels; outside the picture its edge goes on. */
function addSample({ data, width, height }: Pixels, x: number, y: number, into: number[]): void {
  const cx = Math.min(width - 1, Math.max(0, x))
  const cy = Math.min(height - 1, Math.max(0, y))
  const x0 = Math.floor(cx)
  const y0 = Math.floor(cy)
  const right = x0 < width - 1 ? 3 : 0
  const under = y0 < height - 1 ? 3 * width : 0
  const [fx, fy] = [cx - x0, cy - y0]
  const from = 3 * (y0 * width + x0)
  for (let channel = 0; channel < 3; channel++) {
    const at = from + channel
    const top = (data[at] as number) * (1 - fx) + (data[at + right] as number) * fx
    const bottom = (data[at + under] as number) * (1 - fx) + (data[at + under + right] as number) * fx
    into[channel] = (into[channel] as number) + top * (1 - fy) + bottom * fy
  }
}
