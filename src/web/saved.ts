import type { JsonValue } from '../core/index.ts'
import type { Saved } from '../engine/index.ts'
import { problem } from './problem.ts'
import { json } from './route.ts'

/** What became of a file that was to be saved: the workflow, or all that is wrong with it. */
export function saved(result: Saved, status: number): Response {
  if (result.ok) {
    const { workflow, problems } = result
    return json({ workflow, problems }, status, { location: `/api/v1/workflows/${workflow.id}` })
  }
  const errors = result.problems.filter(({ severity }) => severity === 'error').length
  const detail = `The file has ${errors} ${errors === 1 ? 'error' : 'errors'}: nothing was saved.`
  return problem(422, 'bad_workflow', detail, {
    extra: { problems: result.problems as unknown as JsonValue },
  })
}
