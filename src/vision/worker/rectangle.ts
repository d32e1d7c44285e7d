/** The smallest rectangle, at any angle, around a set of points. */

export type Point = [number, number]

/** A rectangle whose width runs along `angle` (radians, clockwise on the screen), within 45° of level. */
export interface Rectangle {
  x: number
  y: number
  width: number
  height: number
  angle: number
}

/** By the theorem that one side of the smallest rectangle lies on a side of the convex hull. */
export function smallestRectangle(points: readonly Point[]): Rectangle {
  const corners = hull(points)
  let best: Rectangle = { x: 0, y: 0, width: 0, height: 0, angle: 0 }
  let least = Number.POSITIVE_INFINITY
  corners.forEach(([x1, y1], i) => {
    const [x2, y2] = corners[(i + 1) % corners.length] ?? [x1, y1]
    const candidate = around(corners, level(Math.atan2(y2 - y1, x2 - x1)))
    const area = candidate.width * candidate.height
    if (area < least) {
      least = area
      best = candidate
    }
  })
  return best
}

/** Corners in reading order: top left, top right, bottom right, bottom left. */
export function cornersOf({ x, y, width, height, angle }: Rectangle): [Point, Point, Point, Point] {
  const [ux, uy] = [(Math.cos(angle) * width) / 2, (Math.sin(angle) * width) / 2]
  const [vx, vy] = [(-Math.sin(angle) * height) / 2, (Math.cos(angle) * height) / 2]
  return [
    [x - ux - vx, y - uy - vy],
    [x + ux - vx, y + uy - vy],
    [x + ux + vx, y + uy + vy],
    [x - ux + vx, y - uy + vy],
  ]
}

/** Turns an angle by quarters into −45° to 45°. */
function level(angle: number): number {
  const quarter = Math.PI / 2
  return angle - Math.round(angle / quarter) * quarter
}

function around(points: readonly Point[], angle: number): Rectangle {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const [x, y] of points) {
    const u = x * cos + y * sin
    const v = y * cos - x * sin
    left = Math.min(left, u)
    right = Math.max(right, u)
    top = Math.min(top, v)
    bottom = Math.max(bottom, v)
  }
  const [u, v] = [(left + right) / 2, (top + bottom) / 2]
  return { x: u * cos - v * sin, y: u * sin + v * cos, width: right - left, height: bottom - top, angle }
}

/** Convex hull by Andrew's monotone chain. */
function hull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1])
  return [...chain(sorted), ...chain(sorted.reverse())]
}

function chain(points: readonly Point[]): Point[] {
  const kept: Point[] = []
  for (const point of points) {
    for (;;) {
      const [a, b] = [kept.at(-2), kept.at(-1)]
      if (!a || !b || (b[0] - a[0]) * (point[1] - a[1]) > (b[1] - a[1]) * (point[0] - a[0])) break
      kept.pop()
    }
    kept.push(point)
  }
  kept.pop()
  return kept
}
