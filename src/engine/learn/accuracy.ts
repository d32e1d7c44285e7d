import { wilson } from '../../core/index.ts'
import type { MarkRow, Store } from '../../store/index.ts'
import type { MarkView, StepAccuracy } from '../types.ts'
import type { Judge } from './judge.ts'

/** What was marked of the AI steps of a file, over all versions in which they decided in the same way. */
export function accuracyOf(workflowId: number, judges: readonly Judge[], store: Store): StepAccuracy[] {
  return judges.map(({ path, name, judge }) => {
    const { marks, right } = store.marks.tally(workflowId, judge)
    return { path, name, marks, right, ...shares(right, marks) }
  })
}

/** The marks that nobody took back. */
export function inForce(marks: MarkRow[]): MarkRow[] {
  return marks.filter(({ replacedAt }) => replacedAt === null)
}

/** Rounded to what a reader can use. */
export function shares(right: number, marks: number) {
  const interval = wilson(right, marks)
  const rounded = (n: number | undefined) => (n === undefined ? null : Math.round(n * 1000) / 1000)
  return { share: rounded(interval?.share), low: rounded(interval?.low), high: rounded(interval?.high) }
}

/** The marks of a run that count. */
export function markViews(marks: MarkRow[]): MarkView[] {
  return inForce(marks).map(({ author, correct, note, at }) => ({
    by: author,
    right: correct,
    note,
    at: new Date(at).toISOString(),
  }))
}
