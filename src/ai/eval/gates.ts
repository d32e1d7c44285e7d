import type { Gated, Score } from '../gate.ts'
import { type CaseResult, isEarned } from './result.ts'

/** Of results over whole suites: what each gate is judged by. What was guessed rightly opens none. */
export function scoresOf(results: readonly CaseResult[]): { suite: Gated; score: Score }[] {
  return (['investigate', 'draft'] as const).flatMap(suite => {
    const own = results.filter(result => result.suite === suite)
    return own.length ? [{ suite, score: { right: own.filter(isEarned).length, cases: own.length } }] : []
  })
}
