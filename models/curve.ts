/** Scores with their truth → how often a score was right: a logistic curve (Platt scaling), given as steps. */

export interface Case {
  score: number
  right: boolean
  /** Below 1 for one of several views of the same picture. */
  weight: number
}

export interface Step {
  from: number
  right: number
  /** Cases (weights added up) whose score lies in this step. */
  cases: number
}

/**
 * One step per start in `starts` (rising), with the curve's value at its beginning. As Platt has it, what was right
 * counts as (n + 1) / (n + 2) and what was wrong as 1 / (m + 2), so that few cases make no certainty.
 */
export function curveOf(cases: readonly Case[], starts: readonly number[]): Step[] {
  const total = (some: readonly Case[]) => some.reduce((sum, { weight }) => sum + weight, 0)
  const right = total(cases.filter(one => one.right))
  const wrong = total(cases) - right
  const share = fit(
    cases.map(({ score, right: is, weight }) => ({
      score,
      weight,
      target: is ? (right + 1) / (right + 2) : 1 / (wrong + 2),
    })),
  )
  return starts.map((from, i) => {
    const until = starts[i + 1] ?? Number.POSITIVE_INFINITY
    const mine = cases.filter(({ score }) => score >= from && score < until)
    return { from, right: Math.floor(share(from) * 100) / 100, cases: Math.round(total(mine)) }
  })
}

/** Newton's method on the two parameters of the logistic curve; the slope never falls. */
function fit(
  points: readonly { score: number; target: number; weight: number }[],
): (score: number) => number {
  let [slope, offset] = [0, 0]
  const at = (score: number) => 1 / (1 + Math.exp(-(slope * score + offset)))
  for (let round = 0; round < 50; round++) {
    // A faint pull of the slope to nought keeps the equations solvable where all was right.
    let [gs, go, ss, so, oo] = [1e-3 * slope, 0, 1e-3, 0, 1e-9]
    for (const { score, target, weight } of points) {
      const p = at(score)
      const miss = weight * (p - target)
      const bend = weight * p * (1 - p)
      gs += miss * score
      go += miss
      ss += bend * score * score
      so += bend * score
      oo += bend
    }
    const size = ss * oo - so * so
    slope -= (oo * gs - so * go) / size
    offset -= (ss * go - so * gs) / size
  }
  if (slope >= 0) return at
  const weights = points.reduce((sum, { weight }) => sum + weight, 0)
  const mean = points.reduce((sum, { target, weight }) => sum + target * weight, 0) / weights
  return () => mean
}
