/** What is more than chance. */

/** Cases that came out differently in two runs over the same cases. */
export interface Flips {
  /** Wrong in the first, right in the second. */
  gained: number
  /** Right in the first, wrong in the second. */
  lost: number
}

/** By custom: rarer than one in twenty is not taken for chance. */
const RARE = 0.05

/**
 * McNemar's exact test, two-sided: how likely a split at least this uneven would be if each flip were the toss of a
 * coin. 1 where nothing flipped.
 */
export function mcnemar({ gained, lost }: Flips): number {
  const all = gained + lost
  if (all === 0) return 1
  const fewer = Math.min(gained, lost)
  let share = 0
  // Logarithms: binomials of some hundred flips fit no number.
  let log = -all * Math.LN2
  for (let k = 0; k <= fewer; k++) {
    share += Math.exp(log)
    log += Math.log(all - k) - Math.log(k + 1)
  }
  return Math.min(1, 2 * share)
}

/** Whether two runs differ by more than chance. */
export const isMoreThanChance = (flips: Flips): boolean => mcnemar(flips) < RARE
