import type { Condition } from '../../contract/index.ts'
import { type ConditionContext, holds } from '../../kinds/index.ts'
import type { Ended } from '../run.ts'
import { type Readings, seenOf, textOf } from './texts.ts'

/** All conditions hold: `then`, else `else`. What cameras were read for it is its result. */
export function runIf(
  conditions: readonly Condition[],
  ctx: ConditionContext,
  readings: Readings | null,
): Ended {
  const seeing = readings ? { ...ctx, textOf: textOf(readings) } : ctx
  const outcome = conditions.every(each => holds(each, seeing)) ? 'then' : 'else'
  return { status: 'done', outcome, result: readings && { seen: seenOf(readings) }, ai: null }
}
