/** The share that was right, and between which shares the truth lies with 95 %. */
export interface Interval {
  share: number
  low: number
  high: number
}

/** Of the normal distribution, for 95 % on both sides. */
const Z = 1.959964

/** Wilson's score interval for `right` of `marks`; null where nothing was marked. */
export function wilson(right: number, marks: number): Interval | null {
  if (!(marks > 0)) return null
  const share = right / marks
  const square = (Z * Z) / marks
  const middle = (share + square / 2) / (1 + square)
  const half = (Z / (1 + square)) * Math.sqrt((share * (1 - share)) / marks + square / (4 * marks))
  // At the ends the bound is the end itself, which rounding would miss by a hair.
  const low = right <= 0 ? 0 : middle - half
  return { share, low, high: right >= marks ? 1 : middle + half }
}

/** The fewest of `marks` that have to be right for a lower bound of `low`; null where not even all are enough. */
export function fewestRight(marks: number, low: number): number | null {
  for (let right = 0; right <= marks; right++) if ((wilson(right, marks)?.low ?? -1) >= low) return right
  return null
}
