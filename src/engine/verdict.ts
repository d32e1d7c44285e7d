import { isObject } from './json.ts'
import type { Ended } from './run.ts'

/** What a run comes to. */
export type Verdict = 'done' | 'failed' | 'unknown' | 'stopped'

/** The later, the worse: the worst of its steps is what a run comes to. */
const ORDER: readonly Verdict[] = ['done', 'stopped', 'failed', 'unknown']

/** How a step came out, as far as that matters for its run. */
type Came = Pick<Ended, 'result'> & { status: string }

/** A failed move or a step that cannot run says so in its result; a tell that failed does not. */
export function endsPath({ status, result }: Came): boolean {
  return status === 'unknown' || (isObject(result) && result.ends_path === true)
}

/** What one step makes of its run. */
export function verdictOfStep(step: Came): Verdict {
  if (step.status === 'unknown') return 'unknown'
  if (isObject(step.result) && step.result.stopped === true) return 'stopped'
  // A move that happened does not mend a run that could not go on behind it.
  if (isObject(step.result) && step.result.given_up === true) return 'failed'
  return step.status === 'failed' && endsPath(step) ? 'failed' : 'done'
}

/** Whether `a` is worse than `b`. */
export function isWorse(a: Verdict, b: Verdict): boolean {
  return ORDER.indexOf(a) > ORDER.indexOf(b)
}

/** What a run comes to by the rows of its steps, and what is said of the step that made it so. */
export function verdictOf(steps: readonly Came[]): { verdict: Verdict; error: string | null } {
  let came: ReturnType<typeof verdictOf> = { verdict: 'done', error: null }
  for (const step of steps) {
    const verdict = verdictOfStep(step)
    if (isWorse(verdict, came.verdict)) came = { verdict, error: messageIn(step) }
  }
  return came
}

/** What a step says of how it came out. */
export function messageIn({ result }: Pick<Ended, 'result'>): string | null {
  return isObject(result) && typeof result.message === 'string' ? result.message : null
}
