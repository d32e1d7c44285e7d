import type { Condition, ConditionKind } from '../../contract/index.ts'
import type { missing } from '../missing.ts'
import type { ConditionContext, ConditionFunction } from '../types.ts'
import { camera } from './camera.ts'
import { elapsed } from './elapsed.ts'
import { inList } from './in_list.ts'
import { siteMode } from './site_mode.ts'
import { stepSucceeded } from './step_succeeded.ts'
import { time } from './time.ts'
import { value } from './value.ts'

type Combined = 'not' | 'any' | 'all'

/** The conditions that are read here; `holds` combines them. */
export const conditions: Record<
  Exclude<ConditionKind, Combined | keyof typeof missing.conditions>,
  ConditionFunction
> = {
  time,
  site_mode: siteMode,
  camera,
  value,
  in_list: inList,
  step_succeeded: stepSucceeded,
  elapsed,
}

/** Whether a condition holds. One whose kind is missing here does not; the workflow needs attention anyway. */
export function holds({ kind, params }: Condition, ctx: ConditionContext): boolean {
  switch (kind) {
    case 'not':
      return !holds(params as Condition, ctx)
    case 'any':
      return (params as Condition[]).some(each => holds(each, ctx))
    case 'all':
      return (params as Condition[]).every(each => holds(each, ctx))
    case 'text_visible':
      return false
    default:
      return conditions[kind].holds(params, ctx)
  }
}
