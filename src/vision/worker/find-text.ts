/**
 * Where text stands (PaddleOCR's DB detector): a probability per pixel, whose connected regions are lines of
 * text shrunk from their outline; each becomes a rectangle, grown back by the factor that the net was trained on.
 */
import type { JobContext } from '../../inference/index.ts'
import type { ReaderModel } from '../protocol.ts'
import { type Pixels, resized } from './picture.ts'
import { type Point, type Rectangle, smallestRectangle } from './rectangle.ts'
import { floatsOf, network } from './session.ts'
import { tablesOf, tensorOf } from './tensor.ts'

/** Long side of what the net sees, pixels. */
const LONG_SIDE = 960
const MULTIPLE = 32
const IN_TEXT = 0.3
const SURE = 0.6
const FEWEST_PIXELS = 12
const LEAST_SIDE = 3
const GROWTH = 1.5

/** Paddle feeds blue, green, red with the means of red, green, blue; so did the training. */
const tables = tablesOf(
  [0.485, 0.456, 0.406].map(share => share * 255),
  [0.229, 0.224, 0.225].map(share => share * 255),
)

/** Rectangles in the pixels given, largest first, at most `most`. */
export async function findText(
  context: JobContext,
  model: ReaderModel,
  pixels: Pixels,
  most: number,
): Promise<Rectangle[]> {
  const scale = Math.min(1, LONG_SIDE / Math.max(pixels.width, pixels.height))
  const width = roundUp(pixels.width * scale)
  const height = roundUp(pixels.height * scale)
  const small = await resized(pixels, width, height)
  const { run, outputs } = await network(context, model.find, 'changing')
  const answer = await run(tensorOf(small, tables), [1, 3, height, width])
  const map = floatsOf(answer[outputs[0] ?? ''])
  if (map.length !== width * height) throw new Error('the text finder answers other than expected')

  const [across, down] = [pixels.width / width, pixels.height / height]
  return regions(map, width, height)
    .map(outline => grown(smallestRectangle(outline.map(([x, y]) => [x * across, y * down]))))
    .sort((a, b) => b.width * b.height - a.width * a.height)
    .slice(0, most)
}

function roundUp(length: number): number {
  return Math.max(MULTIPLE, Math.round(length / MULTIPLE) * MULTIPLE)
}

function grown(rectangle: Rectangle): Rectangle {
  const { width, height } = rectangle
  const growth = (width * height * GROWTH) / (width + height)
  return { ...rectangle, width: width + growth, height: height + growth }
}

/** The outlines (points on each row's two ends) of the connected regions that are text. */
function regions(map: Float32Array, width: number, height: number): Point[][] {
  const seen = new Uint8Array(map.length)
  const found: Point[][] = []
  for (let start = 0; start < map.length; start++) {
    if (seen[start] || (map[start] as number) <= IN_TEXT) continue
    const region = flood(map, seen, width, height, start)
    if (region) found.push(region)
  }
  return found
}

function flood(
  map: Float32Array,
  seen: Uint8Array,
  width: number,
  height: number,
  start: number,
): Point[] | null {
  const ends = new Map<number, [number, number]>()
  const open = [start]
  seen[start] = 1
  let count = 0
  let sum = 0
  const visit = (at: number): void => {
    if (seen[at] || (map[at] as number) <= IN_TEXT) return
    seen[at] = 1
    open.push(at)
  }
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const x = at % width
    const y = (at - x) / width
    count++
    sum += map[at] as number
    const row = ends.get(y)
    if (!row) ends.set(y, [x, x])
    else if (x < row[0]) row[0] = x
    else if (x > row[1]) row[1] = x
    if (x > 0) visit(at - 1)
    if (x < width - 1) visit(at + 1)
    if (y > 0) visit(at - width)
    if (y < height - 1) visit(at + width)
  }
  if (count < FEWEST_PIXELS || sum / count < SURE) return null
  const outline = [...ends].flatMap(([y, [left, right]]): Point[] => [
    [left, y],
    [left, y + 1],
    [right + 1, y],
    [right + 1, y + 1],
  ])
  const { width: w, height: h } = smallestRectangle(outline)
  return Math.min(w, h) < LEAST_SIDE ? null : outline
}
