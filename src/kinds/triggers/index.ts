import type { TriggerKind } from '../../contract/index.ts'
import type { missing } from '../missing.ts'
import type { TriggerFunction } from '../types.ts'
import { alert } from './alert.ts'
import { button } from './button.ts'
import { cameraOffline } from './camera_offline.ts'
import { personInZone } from './detect.person_in_zone.ts'
import { event } from './event.ts'
import { message } from './message.ts'
import { schedule } from './schedule.ts'
import { webhook } from './webhook.ts'

/** The function of each trigger of this version, by kind. */
export const triggers: Record<Exclude<TriggerKind, keyof typeof missing.triggers>, TriggerFunction> = {
  alert,
  event,
  'detect.person_in_zone': personInZone,
  button,
  message,
  camera_offline: cameraOffline,
  webhook,
  schedule,
}
