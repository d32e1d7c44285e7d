/** Rules that only the whole file can break: its length, its replies, and the names that it takes from the site. */

import { checkCameras } from './check-cameras.ts'
import { checkNames } from './check-names.ts'
import type { CheckContext } from './context.ts'
import { walk } from './tree.ts'
import type { Step, Workflow } from './types.ts'

const CUSTOMARY = 7
const MOST_STEPS = 20

export function checkWhole(workflow: Workflow, context: CheckContext): void {
  checkLength(workflow, context)
  checkReplies(workflow, context)
  checkNames(workflow, context)
  checkCameras(workflow, context)
}

/** Steps along the longest way through the file, those of `always` included. */
export function longestPath(steps: readonly Step[]): number {
  return steps.reduce((sum, { paths }) => sum + 1 + Math.max(0, ...Object.values(paths).map(longestPath)), 0)
}

function checkLength(workflow: Workflow, { report }: CheckContext): void {
  const steps = longestPath(workflow.then) + longestPath(workflow.always)
  if (steps > MOST_STEPS) {
    report({
      severity: 'error',
      code: 'too_many_steps',
      path: 'then',
      message: `The longest way through this file has ${steps} steps: ${MOST_STEPS} are the most; split it in two.`,
    })
  } else if (steps > CUSTOMARY) {
    report({
      severity: 'warning',
      code: 'many_steps',
      path: 'then',
      message: `The longest way through this file has ${steps} steps: more than ${CUSTOMARY} are hard to follow.`,
    })
  }
}

function checkReplies(workflow: Workflow, { report }: CheckContext): void {
  if (workflow.when.kind === 'message') return
  walk(workflow, ({ step, path }) => {
    if (step.kind !== 'reply') return
    report({
      severity: 'error',
      code: 'reply_without_message',
      path: `${path}.reply`,
      message: 'Only a message can be replied to: use notify, or begin with the message trigger.',
    })
  })
}
