import type { TriggerDescriptor } from '../../kind.ts'
import type { TriggerKind } from '../../types.ts'
import { alert } from './alert.ts'
import { button } from './button.ts'
import { cameraOffline } from './camera_offline.ts'
import { personInZone } from './detect.person_in_zone.ts'
import { event } from './event.ts'
import { message } from './message.ts'
import { schedule } from './schedule.ts'
import { watch } from './watch.ts'
import { webhook } from './webhook.ts'

export const triggers: Readonly<Record<TriggerKind, TriggerDescriptor>> = {
  alert,
  event,
  'detect.person_in_zone': personInZone,
  camera_offline: cameraOffline,
  schedule,
  button,
  webhook,
  message,
  watch,
}
