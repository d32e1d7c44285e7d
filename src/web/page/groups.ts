import type { Box, Detection } from '../../vision/index.ts'

/** One thing in the picture, under every name that the detector gave it, the likeliest first. */
export interface Thing {
  labels: string[]
  box: Box
}

/** Boxes that overlap more than this are one thing. */
const SAME = 0.6

/** Detectors name one thing twice where they waver (a van as truck and as bus); people see it once. */
export function thingsOf(detections: readonly Detection[]): Thing[] {
  const things: Thing[] = []
  for (const { label, box } of detections) {
    const thing = things.find(it => !it.labels.includes(label) && overlap(it.box, box) > SAME)
    if (thing) thing.labels.push(label)
    else things.push({ labels: [label], box })
  }
  return things
}

/** Common area by united area. */
function overlap(a: Box, b: Box): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0])
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1])
  if (width <= 0 || height <= 0) return 0
  const area = (box: Box) => (box[2] - box[0]) * (box[3] - box[1])
  return (width * height) / (area(a) + area(b) - width * height)
}
