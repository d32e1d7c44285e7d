/** Steps a run can have: a step's id is run id × STEPS_PER_RUN + seq. */
export const STEPS_PER_RUN = 65_536

/** The least and the greatest id that a step of a run can have. */
export function stepsOf(runId: number): [number, number] {
  return [runId * STEPS_PER_RUN, runId * STEPS_PER_RUN + STEPS_PER_RUN - 1]
}
