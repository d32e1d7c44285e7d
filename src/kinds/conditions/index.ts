import type { Condition, ConditionKind } from '../../contract/index.ts'
import type { ConditionContext, ConditionFunction } from '../types.ts'
import { camera } from './camera.ts'
import { elapsed } from './elapsed.ts'
import { inList } from './in_list.ts'
import { siteMode } from './site_mode.ts'
import { stepSucceeded } from './step_succeeded.ts'
import { textVisible } from './text_visible.ts'
import { time } from './time.ts'
import { value } from './value.ts'

type Combined = 'not' | 'any' | 'all'

/** The conditions that are read here; `weigh` combines them. */
export const conditions: Record<Exclude<ConditionKind, Combined>, ConditionFunction> = {
  time,
  site_mode: siteMode,
  camera,
  value,
  in_list: inList,
  text_visible: textVisible,
  step_succeeded: stepSucceeded,
  elapsed,
}

/** Whether a condition is known to hold. */
export function holds(condition: Condition, ctx: ConditionContext): boolean {
  return weigh(condition, ctx) === true
}

/**
 * Whether a condition holds; null: nobody knows, because what it reads is missing. That stays unknown under `not`,
 * so that a camera that gives no picture makes nothing true.
 */
export function weigh({ kind, params }: Condition, ctx: ConditionContext): boolean | null {
  switch (kind) {
    case 'not': {
      const inner = weigh(params as Condition, ctx)
      return inner === null ? null : !inner
    }
    case 'any':
      return first(params as Condition[], true, ctx)
    case 'all':
      return first(params as Condition[], false, ctx)
    default:
      return conditions[kind].holds(params, ctx)
  }
}

/** `decisive` where one of them is that, else unknown where one of them is, else the contrary. */
function first(inner: readonly Condition[], decisive: boolean, ctx: ConditionContext): boolean | null {
  let unknown = false
  for (const condition of inner) {
    const weighed = weigh(condition, ctx)
    if (weighed === decisive) return decisive
    if (weighed === null) unknown = true
  }
  return unknown ? null : !decisive
}
