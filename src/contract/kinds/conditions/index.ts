import type { ConditionDescriptor } from '../../kind.ts'
import type { ConditionKind } from '../../types.ts'
import { all } from './all.ts'
import { any } from './any.ts'
import { camera } from './camera.ts'
import { elapsed } from './elapsed.ts'
import { inList } from './in_list.ts'
import { not } from './not.ts'
import { siteMode } from './site_mode.ts'
import { stepSucceeded } from './step_succeeded.ts'
import { textVisible } from './text_visible.ts'
import { time } from './time.ts'
import { value } from './value.ts'

export const conditions: Readonly<Record<ConditionKind, ConditionDescriptor>> = {
  time,
  site_mode: siteMode,
  camera,
  value,
  in_list: inList,
  not,
  any,
  all,
  text_visible: textVisible,
  step_succeeded: stepSucceeded,
  elapsed,
}
