import type { Job } from '../../inference/index.ts'
import type { PaintAnswer, PaintRequest } from '../protocol.ts'
import { BadPicture, jpegOf, openPicture, type Pixels } from './picture.ts'

type Polygon = PaintRequest['polygons'][number]

/** Blackens what is not to be seen of a picture, and makes an upright JPEG of the rest: nothing of before is in it. */
export const paint: Job = async (payload): Promise<PaintAnswer> => {
  const { bytes, polygons } = payload as PaintRequest
  try {
    const picture = await openPicture(bytes)
    const pixels = await picture.pixels(picture.width, picture.height)
    for (const polygon of polygons) fill(pixels, polygon)
    return { ok: true, bytes: await jpegOf(pixels) }
  } catch (error) {
    if (error instanceof BadPicture) return { ok: false, message: error.message }
    throw error
  }
}

/** Blackens every pixel that a polygon touches; where it crosses itself, all that it goes round counts as inside. */
export function fill({ width, height, data }: Pixels, polygon: Polygon): void {
  const points = polygon.map(([x, y]): [number, number] => [x * width, y * height])
  const edges = points.map((from, i): Edge => [from, points[(i + 1) % points.length] ?? from])
  const blacken = (row: number, from: number, to: number) => {
    const left = Math.max(0, Math.floor(from))
    const right = Math.min(width - 1, Math.floor(to))
    if (row >= 0 && row < height && left <= right)
      data.fill(0, (row * width + left) * 3, (row * width + right + 1) * 3)
  }
  const [top, bottom] = [Math.min(...points.map(p => p[1])), Math.max(...points.map(p => p[1]))]
  for (let row = Math.floor(top); row <= Math.min(height - 1, Math.floor(bottom)); row++) {
    // The inside of a row is what lies inside at its edges and middle, and what an edge passes over on its way.
    for (const y of [row, row + 0.5, row + 1])
      for (const [from, to] of insideAt(edges, y)) blacken(row, from, to)
    for (const edge of edges) {
      const passed = within(edge, row, row + 1)
      if (passed) blacken(row, ...passed)
    }
  }
}

type Edge = [[number, number], [number, number]]

/** The stretches of a horizontal line that a polygon goes round. */
function insideAt(edges: readonly Edge[], y: number): [number, number][] {
  const crossings = edges.flatMap(([[ax, ay], [bx, by]]): { x: number; turn: number }[] =>
    ay <= y === by <= y ? [] : [{ x: ax + ((y - ay) * (bx - ax)) / (by - ay), turn: by > ay ? 1 : -1 }],
  )
  crossings.sort((a, b) => a.x - b.x)
  const found: [number, number][] = []
  let round = 0
  for (const [i, { x, turn }] of crossings.entries()) {
    round += turn
    const next = crossings[i + 1]
    if (round !== 0 && next) found.push([x, next.x])
  }
  return found
}

/** From where to where an edge goes between two heights; null: it does not come there. */
function within([[ax, ay], [bx, by]]: Edge, top: number, bottom: number): [number, number] | null {
  if (Math.max(ay, by) < top || Math.min(ay, by) > bottom) return null
  if (ay === by) return [Math.min(ax, bx), Math.max(ax, bx)]
  const at = (y: number) => ax + ((y - ay) * (bx - ax)) / (by - ay)
  const [from, to] = [Math.max(top, Math.min(ay, by)), Math.min(bottom, Math.max(ay, by))].map(at)
  return [Math.min(from ?? 0, to ?? 0), Math.max(from ?? 0, to ?? 0)]
}
