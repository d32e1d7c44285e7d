import { wilson } from '../../core/index.ts'

/** Fewer marked decisions than this say nothing. */
const FEWEST = 20

/** How sure a decision was, and whether it was right. */
export interface Pair {
  confidence: number
  right: boolean
}

/** A threshold, and what it would have made of the marked decisions. */
export interface Suggestion {
  sure: number
  /** Decisions that it would have let stand, of all that were marked. */
  kept: number
  of: number
  /** Of those, the right ones. */
  right: number
  share: number
  low: number
  high: number
  /** Whether the lower bound reaches what was asked; if not, this is the best there is. */
  enough: boolean
}

/**
 * The lowest threshold at which the decisions that it lets stand are right often enough (`low`: Wilson's lower bound),
 * else the one with the best lower bound. Null below 20 decisions. Unsure ones are none, so nothing is learnt about
 * what the threshold of now turned away.
 */
export function suggestSure(pairs: readonly Pair[], low: number): Suggestion | null {
  if (pairs.length < FEWEST) return null
  const falling = [...pairs].sort((a, b) => b.confidence - a.confidence)
  let right = 0
  let best: Suggestion | null = null
  for (const [i, pair] of falling.entries()) {
    if (pair.right) right++
    const next = falling[i + 1]
    // In hundredths, as files say it, rounded down so that the decision itself still stands.
    const sure = hundredths(pair.confidence)
    if (next && hundredths(next.confidence) === sure) continue
    const interval = wilson(right, i + 1)
    if (!interval) continue
    const candidate = { sure, kept: i + 1, of: pairs.length, right, ...interval, enough: interval.low >= low }
    if (!best || isBetter(candidate, best)) best = candidate
  }
  return best
}

/** Comes with a lower threshold than `best`: that is better where both, or neither, are right often enough. */
function isBetter(candidate: Suggestion, best: Suggestion): boolean {
  if (candidate.enough !== best.enough) return candidate.enough
  return candidate.enough || candidate.low >= best.low
}

/** A confidence of 0 to 1, cut down to hundredths without the error of binary fractions. */
export function hundredths(confidence: number): number {
  const nearest = Math.round(confidence * 100)
  return nearest / 100 <= confidence ? nearest / 100 : (nearest - 1) / 100
}
