/** What a raw score was worth on labelled cases. Part of the model catalogue, made by `models/calibrate.ts`. */

/** From this raw score on, this share of the answers was right, over this many cases. Scores rise. */
export type Curve = readonly { from: number; right: number; cases: number }[]

export interface Calibration {
  /** By the detector's score of a thing. */
  present?: Curve
  /** By the reader's mean score of a line. */
  text?: Curve
  /** Share of the pictures without a line read that truly had none. */
  no_text?: number
}

/** Worth of an answer that nothing was measured about: a coin's, so that a floor holds it back. */
export const UNKNOWN = 0.5

/** Share of the answers that were right at that score. */
export function shareRight(curve: Curve | undefined, score: number): number {
  return curve?.findLast(step => score >= step.from)?.right ?? UNKNOWN
}
