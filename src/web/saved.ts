import type { Problem } from '../contract/index.ts'
import type { JsonValue } from '../core/index.ts'
import type { Saved } from '../engine/index.ts'
import { problem } from './problem.ts'
import { json } from './route.ts'

/**
 * What became of a file that was to be saved: the workflow, or all that is wrong with it. `old`: the version that was
 * to come back, which cannot be mended by who calls.
 */
export function saved(result: Saved, status: number, old: number | null = null): Response {
  if (result.ok) {
    const { workflow, problems } = result
    return json({ workflow, problems }, status, { location: `/api/v1/workflows/${workflow.id}` })
  }
  if (old === null) return faulty(result.problems, 'nothing was saved')
  const first = result.problems.find(({ severity }) => severity === 'error')
  const detail = `Version ${old} does not hold at this site any more: ${first?.message ?? 'see problems.'} Change the site so that it does, or save a file that does.`
  return problem(422, 'bad_workflow', detail, {
    extra: { problems: result.problems as unknown as JsonValue },
  })
}

/** A file with errors, as a problem with all of them. */
export function faulty(problems: Problem[], so: string, extra: Record<string, JsonValue> = {}): Response {
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const detail = `The file has ${errors} ${errors === 1 ? 'error' : 'errors'}: ${so}. Once mended, more may be found.`
  return problem(422, 'bad_workflow', detail, {
    extra: { ...extra, problems: problems as unknown as JsonValue },
  })
}
