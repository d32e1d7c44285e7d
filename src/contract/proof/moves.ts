/** Which steps of a workflow move something, or need a guard as if they did. */
import { actionKind } from '../kinds/index.ts'
import { stepAt, walk } from '../tree.ts'
import type { Effect, NodePath, SiteView, Step, Workflow } from '../types.ts'
import { type State, statesOf } from './states.ts'

type States = ReadonlyMap<NodePath, State>

/** What the step at `path` does outside the box; steps that are no action read. */
export function effectAt(workflow: Workflow, path: NodePath, site?: SiteView): Effect {
  const step = stepAt(workflow, path)
  if (!step) return 'read'
  return movesOf(workflow, statesOf(workflow, site), site).has(path) ? 'move' : effectOf(workflow, step, site)
}

/** Whether the step at `path` needs a guard: it moves something, or is an alert at `critical`. */
export function needsGuard(workflow: Workflow, path: NodePath, site?: SiteView): boolean {
  const step = stepAt(workflow, path)
  return step !== undefined && (isCritical(step) || effectAt(workflow, path, site) === 'move')
}

/** The highest alarm is held to the rules of a move. */
export function isCritical(step: Step): boolean {
  return step.kind === 'alert' && (step.params as { severity: string }).severity === 'critical'
}

/**
 * The camera roles whose events guard a move of this workflow, `every` where it takes events of any camera. A
 * site gathers them from its workflows into `SiteView.guardedCameras`: turning such a camera is a move.
 */
export function guardingCameras(workflow: Workflow, site?: SiteView): string[] | 'every' {
  if (!guardedByEvents(workflow, statesOf(workflow, site), site)) return []
  return (workflow.when.params as { cameras?: string[] }).cameras ?? 'every'
}

/** The steps that move something. Turning a camera does where its own events guard another move of this file. */
export function movesOf(workflow: Workflow, states: States, site?: SiteView): Set<NodePath> {
  const moves = new Set<NodePath>()
  const guarded = guardedByEvents(workflow, states, site)
  walk(workflow, ({ step, path }) => {
    const turns = step.kind === 'ptz_preset' && guarded && mayBeTriggers(step, workflow)
    if (turns || effectOf(workflow, step, site) === 'move') moves.add(path)
  })
  return moves
}

function effectOf(workflow: Workflow, step: Step, site?: SiteView): Effect {
  const action = actionKind(step.kind)
  return action ? action.effect(step.params as never, site, workflow.needs?.destinations) : 'read'
}

function guardedByEvents(workflow: Workflow, states: States, site?: SiteView): boolean {
  if (workflow.when.kind !== 'event') return false
  let found = false
  walk(workflow, ({ step, path }) => {
    const moves = isCritical(step) || effectOf(workflow, step, site) === 'move'
    if (moves && states.get(path)?.guard?.kind === 'identity') found = true
  })
  return found
}

/** Whether a step may turn the camera that the trigger is about: it says so, or does not say otherwise. */
function mayBeTriggers(step: Step, workflow: Workflow): boolean {
  const { camera } = step.params as { camera?: string }
  const { cameras } = workflow.when.params as { cameras?: string[] }
  return camera === undefined || cameras === undefined || camera.includes('{') || cameras.includes(camera)
}
