import type { Polygon } from '../../site/index.ts'

/** Boxes of which the cover of one polygon is made. */
const STRIPS = 48

/**
 * What paints polygons of a video black, for ffmpeg. It has boxes only: each polygon lies wholly under a pile of flat
 * ones, which cover a little more than it.
 */
export function maskFilter(masks: readonly Polygon[]): string {
  return masks.flatMap(strips).join(',')
}

function strips(polygon: Polygon): string[] {
  const ys = polygon.map(([, y]) => y)
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)]
  const height = (bottom - top) / STRIPS
  return Array.from({ length: STRIPS }, (_, i) => {
    const [from, to] = [top + i * height, top + (i + 1) * height]
    const xs = polygon.flatMap((a, at) => within(a, polygon[(at + 1) % polygon.length] ?? a, from, to))
    return box(Math.min(...xs), from, Math.max(...xs), to)
  })
}

/** Where the part of an edge between two heights begins and ends. */
function within([ax, ay]: Polygon[number], [bx, by]: Polygon[number], top: number, bottom: number): number[] {
  if (Math.max(ay, by) < top || Math.min(ay, by) > bottom) return []
  if (ay === by) return [ax, bx]
  const at = (y: number) => ax + ((y - ay) * (bx - ax)) / (by - ay)
  return [Math.max(top, Math.min(ay, by)), Math.min(bottom, Math.max(ay, by))].map(at)
}

/** A pixel more on each side: a border lies inside of one. */
function box(left: number, top: number, right: number, bottom: number): string {
  const share = (value: number) => value.toFixed(6)
  const place = `x=floor(iw*${share(left)})-1:y=floor(ih*${share(top)})-1`
  const size = `w=ceil(iw*${share(right - left)})+3:h=ceil(ih*${share(bottom - top)})+3`
  return `drawbox=${place}:${size}:color=black:t=fill`
}
