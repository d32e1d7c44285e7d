import type { ConditionContext, SitePort } from '../kinds/index.ts'
import type { Run } from './run.ts'

/** What a condition sees of a run. `startedAt`: when the step that asks began. */
export function conditionContext(
  run: Run,
  site: SitePort,
  mode: string,
  now: number,
  startedAt: number,
): ConditionContext {
  return {
    values: run.values,
    now,
    site,
    mode,
    identities: run.program.identities,
    cameraId: run.facts.cameraId,
    succeeded: step => run.succeeded(step),
    startedAt,
  }
}
