import type { Condition } from '../../contract/index.ts'
import { type ConditionContext, holds } from '../../kinds/index.ts'
import type { Ended } from '../run.ts'

/** All conditions hold: `then`, else `else`. */
export function runIf(conditions: readonly Condition[], ctx: ConditionContext): Ended {
  const outcome = conditions.every(each => holds(each, ctx)) ? 'then' : 'else'
  return { status: 'done', outcome, result: null, ai: null }
}
