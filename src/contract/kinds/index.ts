/** The registry: every kind that a file may name, by group. A kind that is not here does not exist. */
import type {
  ActionDescriptor,
  ConditionDescriptor,
  StepDescriptor,
  ToolDescriptor,
  TriggerDescriptor,
} from '../kind.ts'
import { actions } from './actions/index.ts'
import { conditions } from './conditions/index.ts'
import { steps } from './steps/index.ts'
import { tools } from './tools/index.ts'
import { triggers } from './triggers/index.ts'

export { actions, conditions, steps, tools, triggers }

const own = <T>(map: Readonly<Record<string, T>>, kind: string): T | undefined =>
  Object.hasOwn(map, kind) ? map[kind] : undefined

export const triggerKind = (kind: string): TriggerDescriptor | undefined =>
  own<TriggerDescriptor>(triggers, kind)
export const conditionKind = (kind: string): ConditionDescriptor | undefined =>
  own<ConditionDescriptor>(conditions, kind)
/** Steps that branch, wait or ask. */
export const flowKind = (kind: string): StepDescriptor | undefined => own<StepDescriptor>(steps, kind)
export const actionKind = (kind: string): ActionDescriptor | undefined => own<ActionDescriptor>(actions, kind)
/** Whatever may stand in a list of steps. */
export const stepKind = (kind: string): StepDescriptor | ActionDescriptor | undefined =>
  flowKind(kind) ?? actionKind(kind)
export const toolKind = (kind: string): ToolDescriptor | undefined => own<ToolDescriptor>(tools, kind)

/** Every tool of an investigation. */
export const TOOL_KINDS: readonly string[] = Object.keys(tools)

/** Every key that names a step or an action. */
export const STEP_KINDS: readonly string[] = [...Object.keys(steps), ...Object.keys(actions)]
