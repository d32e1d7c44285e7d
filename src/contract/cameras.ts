/** Which cameras a workflow is about, as far as its file says. */
import { needsOf } from './check-names.ts'
import { placeholdersIn } from './placeholders.ts'
import { conditionsOf, walk, walkCondition } from './tree.ts'
import type { Condition, Step, Workflow } from './types.ts'

/** Camera roles that a file names. */
export interface CamerasNamed {
  /** Whose events start it; null: any camera's. None where its trigger knows of no camera. */
  trigger: readonly string[] | null
  /** Which its steps look at or turn, beside the trigger's; null: that may be any camera. */
  steps: readonly string[] | null
}

/** Triggers that take events of every camera where they name none. */
const TAKES_ALL: ReadonlySet<string> = new Set([
  'event',
  'alert',
  'camera_offline',
  'detect.person_in_zone',
  'watch',
])
/** Tools that reach no camera but the event's own. */
const AT_THE_EVENT: ReadonlySet<unknown> = new Set(['describe_event', 'site_lookup', 'ask_person'])
/** Values that name the trigger's camera. */
const TRIGGERS = ['camera', 'camera_id', 'trigger.camera', 'trigger.camera_id']

export function camerasNamed(workflow: Workflow): CamerasNamed {
  const { kind, params } = workflow.when
  const named = (params as { cameras?: string[] }).cameras
  const needs = needsOf(workflow).filter(({ path }) => !path.startsWith('when') && !path.endsWith('.camera'))
  const roles = new Set(needs.flatMap(each => each.needs.cameras ?? []))
  return {
    trigger: named ?? (TAKES_ALL.has(kind) ? null : []),
    steps: reachesAny(workflow) ? null : [...roles],
  }
}

function reachesAny(workflow: Workflow): boolean {
  const known = new Set(TRIGGERS)
  walk(workflow, ({ step }) => {
    const { cameras, as = 'item' } = paramsOf(step)
    if (step.kind === 'for_each' && cameras) known.add(String(as))
  })
  const open = (text: unknown) =>
    typeof text === 'string' && placeholdersIn(text).some(name => !known.has(name))
  const asks = ({ kind, params }: Condition) =>
    kind === 'text_visible' && open((params as { camera?: unknown }).camera)
  let any = false
  walk(workflow, ({ step, path }) => {
    const { events, tools, camera, look_at } = paramsOf(step)
    any ||= step.kind === 'for_each' && events !== undefined
    any ||= Array.isArray(tools) && tools.some(tool => !AT_THE_EVENT.has(tool))
    any ||= open(camera) || open(look_at)
    for (const { condition } of conditionsOf(step, path))
      walkCondition(condition, '', each => {
        any ||= asks(each)
      })
  })
  return any
}

const paramsOf = ({ params }: Step): { [key: string]: unknown } =>
  typeof params === 'object' && params !== null && !Array.isArray(params)
    ? (params as { [key: string]: unknown })
    : {}
