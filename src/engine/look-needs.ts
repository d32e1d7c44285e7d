import { type Step, type Workflow, walk } from '../contract/index.ts'

/** Whether a step looks at the picture that the event brings: it names no camera of its own. */
function wantsPicture({ kind, params }: Step): boolean {
  if (kind !== 'ai') return false
  const { mode, look_at: lookAt, input } = params as { [key: string]: unknown }
  if (mode !== 'look' || lookAt !== undefined) return false
  return input === 'picture' || (input !== null && typeof input === 'object' && 'frames' in input)
}

/** Whether some step of the file looks at the picture that comes with the event. */
export function looksAtPicture(workflow: Workflow): boolean {
  let looks = false
  walk(workflow, ({ step }) => {
    looks ||= wantsPicture(step)
  })
  return looks
}
