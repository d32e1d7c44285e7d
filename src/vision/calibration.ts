/** What a raw score was worth on labelled cases. Part of the model catalogue, made by `models/calibrate.ts`. */

/** From this raw score on, this share of the answers was right, over this many cases. Scores rise. */
export type Curve = readonly { from: number; right: number; cases: number }[]

export interface Calibration {
  /** By group of labels (`person`, `vehicle`, `animal`), and `other` for every other label. */
  present?: Readonly<Record<string, Curve>>
  /** By mean character score of a line. */
  text?: Curve
}

/** Worth of an answer that nothing was measured about: a coin's, so that a floor holds it back. */
const UNKNOWN = 0.5

/** Share of the answers about `what` (a group, a label or `text`) that were right at that score. */
export function shareRight(calibration: Calibration, what: string, score: number): number {
  const curve =
    what === 'text' ? calibration.text : (calibration.present?.[what] ?? calibration.present?.other)
  return curve?.findLast(step => score >= step.from)?.right ?? UNKNOWN
}
