import type { Box } from './types.ts'

/** Area of the overlap over the area of both together, 0 to 1. */
export function overlap(a: Box, b: Box): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0])
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1])
  if (width <= 0 || height <= 0) return 0
  const shared = width * height
  return shared / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared)
}

/** Whether a point lies in a polygon (even-odd rule). */
export function inside(polygon: readonly (readonly [number, number])[], x: number, y: number): boolean {
  let is = false
  polygon.forEach(([x1, y1], i) => {
    const [x2, y2] = polygon[(i + 1) % polygon.length] ?? [x1, y1]
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) is = !is
  })
  return is
}

/**
 * Whether a thing stands in a zone: it is where it touches the ground, in the middle of the lower edge of its box. Both
 * are relative to the picture (0 to 1).
 */
export function standsIn(
  zone: readonly (readonly [number, number])[],
  [left, , right, bottom]: readonly [number, number, number, number],
): boolean {
  // A box cut by the lower edge of the picture ends on the edge itself: a hair inside, so that a zone which
  // reaches to the edge holds it.
  return inside(zone, (left + right) / 2, Math.min(bottom, 1 - 1e-6))
}

/** Keeps the best of boxes that overlap by more than `limit`; `found` must come best first. */
export function distinct<T extends { box: Box }>(found: readonly T[], limit: number): T[] {
  const kept: T[] = []
  for (const one of found) {
    if (!kept.some(other => overlap(one.box, other.box) > limit)) kept.push(one)
  }
  return kept
}
