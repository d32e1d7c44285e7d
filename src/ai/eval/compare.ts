import type { Suite } from './case-schema.ts'
import { isMoreThanChance, mcnemar } from './chance.ts'
import type { ReportToCompare } from './report.ts'

/** A case that came out differently. */
export interface Flip {
  id: string
  suite: Suite
  /** Whether it is right now. */
  right: boolean
  before: string
  now: string
  expected: string
}

export interface Comparison {
  before: { title: string; at: string }
  now: { title: string; at: string }
  /** Whether both ran over the very same cases. */
  same_cases: boolean
  /** Cases that both ran. */
  shared: number
  /** Cases that only one of them ran. */
  only_before: number
  only_now: number
  right_before: number
  right_now: number
  flips: Flip[]
  /** Exact McNemar test over the flips, two-sided. */
  p: number
  more_than_chance: boolean
  /** What to hold of it, in one line. */
  words: string
}

/** Holds a run against an earlier one, case by case. */
export function compare(before: ReportToCompare, now: ReportToCompare): Comparison {
  const earlier = new Map(before.results.map(each => [each.id, each]))
  const pairs = now.results.flatMap(each => {
    const old = earlier.get(each.id)
    return old ? [{ old, each }] : []
  })
  const flips = pairs
    .filter(({ old, each }) => old.right !== each.right)
    .map(({ old, each }) => ({
      ...{ id: each.id, suite: each.suite, right: each.right },
      ...{ before: old.got, now: each.got, expected: each.expected },
    }))
  const gained = flips.filter(({ right }) => right).length
  const lost = flips.length - gained
  const better = gained === lost ? 'as good as' : gained > lost ? 'better than' : 'worse than'
  const sure = isMoreThanChance({ gained, lost })
  const p = mcnemar({ gained, lost })
  const flipped = `${gained} got right, ${lost} went wrong`
  const fixtures = before.mode === 'fixtures' || now.mode === 'fixtures'
  return {
    before: { title: before.title, at: before.at },
    now: { title: now.title, at: now.at },
    same_cases: before.cases.fingerprint === now.cases.fingerprint,
    shared: pairs.length,
    only_before: before.results.length - pairs.length,
    only_now: now.results.length - pairs.length,
    right_before: pairs.filter(({ old }) => old.right).length,
    right_now: pairs.filter(({ each }) => each.right).length,
    ...{ flips, p, more_than_chance: sure },
    words: fixtures
      ? `${flipped}; recorded answers are among them, so nothing follows for a model`
      : sure
        ? `${better} before by more than chance: ${flipped} (p ${p.toFixed(3)})`
        : `no difference that chance would not make: ${flipped} (p ${p.toFixed(3)})`,
  }
}
