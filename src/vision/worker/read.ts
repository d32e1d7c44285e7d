import type { JobContext } from '../../inference/index.ts'
import type { ReaderModel } from '../protocol.ts'
import type { TextLine } from '../types.ts'
import { findText } from './find-text.ts'
import type { Pixels } from './picture.ts'
import { recognise } from './recognise.ts'
import { cornersOf, type Rectangle } from './rectangle.ts'

/** Lines of text that are read of one picture, the largest ones. */
const MOST_LINES = 64

/**
 * Finds lines of text and reads them, until `deadline` (of `performance.now`) or until nobody waits any more (`cut`:
 * there was more). `scale` is what the pixels are smaller than the picture by.
 */
export async function readText(
  context: JobContext,
  model: ReaderModel,
  pixels: Pixels,
  scale: number,
  deadline: number,
): Promise<{ lines: TextLine[]; cut: boolean }> {
  let cut = false
  const lines: { where: Rectangle; line: TextLine }[] = []
  for (const where of await findText(context, model, pixels, MOST_LINES)) {
    if (performance.now() > deadline || context.signal?.aborted) {
      cut = true
      break
    }
    const { text, confidence } = await recognise(context, model, pixels, where)
    if (!text || confidence < model.threshold) continue
    const quad = cornersOf(where).flatMap(point => point.map(value => value / scale)) as TextLine['quad']
    lines.push({ where, line: { text, confidence, quad } })
  }
  return { lines: readingOrder(lines).map(({ line }) => line), cut }
}

/** Rows from top to bottom, each from left to right; a row holds what stands at half a line's height of its first. */
export function readingOrder<T extends { where: Rectangle }>(lines: readonly T[]): T[] {
  const left = [...lines].sort((a, b) => a.where.y - b.where.y)
  const ordered: T[] = []
  while (left.length > 0) {
    const first = left[0] as T
    const inRow = (one: T) =>
      Math.abs(one.where.y - first.where.y) < Math.min(one.where.height, first.where.height) / 2
    const row = left.filter(inRow).sort((a, b) => a.where.x - b.where.x)
    ordered.push(...row)
    left.splice(0, left.length, ...left.filter(one => !row.includes(one)))
  }
  return ordered
}
