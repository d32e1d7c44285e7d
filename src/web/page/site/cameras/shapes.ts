/** Polygons while they are drawn: relative points, and what may be done to them. */
import type { Polygon, Polygons } from './api.ts'

export type Kind = 'zones' | 'masks'

/** All that is drawn on one camera. */
export type Drawing = Readonly<Record<Kind, Polygons>>

/** Which polygon is worked at. */
export interface Chosen {
  kind: Kind
  name: string
}

export const LEAST_POINTS = 3
export const MOST_POINTS = 64

const NAME = /^[a-z][a-z0-9_-]{0,63}$/

/** A tenth of a thousandth is finer than any camera. */
const share = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000

export const polygonOf = (drawing: Drawing, { kind, name }: Chosen): Polygon | null =>
  drawing[kind][name] ?? null

export function withPolygon(drawing: Drawing, { kind, name }: Chosen, points: Polygon): Drawing {
  return { ...drawing, [kind]: { ...drawing[kind], [name]: points } }
}

export function movedTo(points: Polygon, at: number, x: number, y: number): Polygon {
  return points.map((point, i) => (i === at ? [share(x), share(y)] : point))
}

/** Another corner, in the middle of the side after the one of that number. */
export function withCorner(points: Polygon, after: number): Polygon {
  const [a, b] = [points[after], points[(after + 1) % points.length]]
  if (!a || !b || points.length >= MOST_POINTS) return points
  const middle: Polygon[number] = [share((a[0] + b[0]) / 2), share((a[1] + b[1]) / 2)]
  return [...points.slice(0, after + 1), middle, ...points.slice(after + 1)]
}

export function withoutCorner(points: Polygon, at: number): Polygon {
  return points.length > LEAST_POINTS ? points.filter((_, i) => i !== at) : points
}

/** A new one in the middle of the picture, under a name that nothing bears. */
export function added(drawing: Drawing, kind: Kind): { drawing: Drawing; chosen: Chosen } {
  const stem = kind === 'zones' ? 'zone' : 'mask'
  let n = 1
  while (drawing[kind][`${stem}-${n}`]) n++
  const chosen = { kind, name: `${stem}-${n}` }
  const points: Polygon = [
    [0.35, 0.35],
    [0.65, 0.35],
    [0.65, 0.65],
    [0.35, 0.65],
  ]
  return { drawing: withPolygon(drawing, chosen, points), chosen }
}

export function without(drawing: Drawing, { kind, name }: Chosen): Drawing {
  const { [name]: _, ...rest } = drawing[kind]
  return { ...drawing, [kind]: rest }
}

/** Under another name, in the same place of the list; null: it cannot be called so. */
export function renamed(drawing: Drawing, { kind, name }: Chosen, to: string): Drawing | null {
  if (!NAME.test(to) || (to !== name && drawing[kind][to])) return null
  const all = Object.entries(drawing[kind]).map(([each, points]) => [each === name ? to : each, points])
  return { ...drawing, [kind]: Object.fromEntries(all) }
}

export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
