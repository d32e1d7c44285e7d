import { type Interval, wilson } from '../../core/index.ts'

/** How sure an answer was said to be, and whether it was right. */
export interface Pair {
  confidence: number
  right: boolean
}

/** Answers that were about equally sure. */
export interface ReliabilityRow {
  /** From this confidence on, to less than `to` (the last row: to 1 and with it). */
  from: number
  to: number
  cases: number
  /** Mean confidence of them. */
  said: number
  /** Share of them that was right, with its 95 % interval. */
  was: Interval
}

export interface Calibration {
  cases: number
  right: number
  /**
   * How likely a right answer is surer than a wrong one, ties counted half: 0.5 is no better than a coin. Null where
   * all are right or all are wrong.
   */
  auroc: number | null
  /** Mean distance between what was said and what was, weighted by cases (expected calibration error). */
  error: number
  /** Only rows with cases. */
  rows: ReliabilityRow[]
}

/** Closer where most answers are. */
const EDGES = [0, 0.5, 0.7, 0.8, 0.9, 1]

/** What confidences are worth; null where there are none. */
export function calibrationOf(pairs: readonly Pair[]): Calibration | null {
  if (!pairs.length) return null
  const rows = EDGES.slice(0, -1).flatMap((from, i): ReliabilityRow[] => {
    const to = EDGES[i + 1] ?? 1
    const inside = pairs.filter(
      ({ confidence }) => confidence >= from && (confidence < to || (to === 1 && confidence <= 1)),
    )
    const was = wilson(inside.filter(({ right }) => right).length, inside.length)
    if (!was) return []
    const said = inside.reduce((sum, { confidence }) => sum + confidence, 0) / inside.length
    return [{ from, to, cases: inside.length, said, was }]
  })
  const error = rows.reduce((sum, { cases, said, was }) => sum + cases * Math.abs(said - was.share), 0)
  const right = pairs.filter(pair => pair.right).length
  return { cases: pairs.length, right, auroc: aurocOf(pairs), error: error / pairs.length, rows }
}

/** The area under the curve of hits over false alarms, by ranks; ties share theirs. */
export function aurocOf(pairs: readonly Pair[]): number | null {
  const right = pairs.filter(pair => pair.right).length
  const wrong = pairs.length - right
  if (!right || !wrong) return null
  const rising = [...pairs].sort((a, b) => a.confidence - b.confidence)
  let sum = 0
  for (let from = 0; from < rising.length; ) {
    let to = from
    while (to < rising.length && rising[to]?.confidence === rising[from]?.confidence) to++
    // Ranks count from 1; those of equals are their mean.
    const rank = (from + 1 + to) / 2
    for (let i = from; i < to; i++) if (rising[i]?.right) sum += rank
    from = to
  }
  return (sum - (right * (right + 1)) / 2) / (right * wrong)
}
