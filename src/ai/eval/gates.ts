import type { Gated, Score } from '../gate.ts'
import type { CaseResult } from './result.ts'

/** Of results over whole suites: what each gate is judged by. */
export function scoresOf(results: readonly CaseResult[]): { suite: Gated; score: Score }[] {
  return (['investigate', 'draft'] as const).flatMap(suite => {
    const own = results.filter(result => result.suite === suite)
    return own.length
      ? [{ suite, score: { right: own.filter(result => result.right).length, cases: own.length } }]
      : []
  })
}
