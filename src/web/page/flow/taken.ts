/** The path that a run took through its flow. */
import type { StepView } from '../api.ts'

export interface Taken {
  /** Where it came by → how the last step there stands. */
  steps: ReadonlyMap<string, StepView['status']>
  /** Where it decided → what. */
  outcomes: ReadonlyMap<string, ReadonlySet<string>>
}

export function takenBy(steps: readonly StepView[]): Taken {
  const outcomes = new Map<string, Set<string>>()
  for (const { path, outcome } of steps)
    if (outcome !== null) outcomes.set(path, (outcomes.get(path) ?? new Set()).add(outcome))
  return { steps: new Map(steps.map(({ path, status }) => [path, status])), outcomes }
}

/** Whether a lane was gone along: that was decided, or something in it ran. */
export function wentAlong({ steps, outcomes }: Taken, path: string, outcome: string, lane: string): boolean {
  if (outcomes.get(path)?.has(outcome)) return true
  return [...steps.keys()].some(step => step.startsWith(`${lane}[`))
}
