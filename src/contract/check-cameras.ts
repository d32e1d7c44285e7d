/** Looks that nothing gives a camera. */
import type { CheckContext } from './context.ts'
import { walk } from './tree.ts'
import type { Workflow } from './types.ts'

/** Triggers that know of no camera. */
const WITHOUT_CAMERA = ['schedule', 'button', 'message']

export function checkCameras(workflow: Workflow, { report }: CheckContext): void {
  if (!WITHOUT_CAMERA.includes(workflow.when.kind)) return
  walk(workflow, ({ step, path }) => {
    if (step.kind !== 'ai') return
    const { mode, input, look_at: lookAt } = step.params as { [key: string]: unknown }
    const looks =
      input === 'picture' ||
      input === 'frames' ||
      (typeof input === 'object' && input !== null && 'frames' in input)
    if (mode !== 'look' || !looks || lookAt !== undefined) return
    report({
      severity: 'warning',
      code: 'no_camera',
      path: `${path}.ai.input`,
      message: 'Nothing gives this step a camera: add look_at: <role>.',
    })
  })
}
