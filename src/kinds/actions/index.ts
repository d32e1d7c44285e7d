import type { ActionKind } from '../../contract/index.ts'
import type { missing } from '../missing.ts'
import type { ActionFunction } from '../types.ts'
import { alert } from './alert.ts'
import { app } from './app.ts'
import { homeAssistant } from './home_assistant.ts'
import { log } from './log.ts'
import { mqtt } from './mqtt.ts'
import { notify } from './notify.ts'
import { ptzPreset } from './ptz_preset.ts'
import { reply } from './reply.ts'
import { saveClip } from './save_clip.ts'
import { savePicture } from './save_picture.ts'
import { siteMode } from './site_mode.ts'
import { webhook } from './webhook.ts'

/** The function of each action of this version, by kind. */
export const actions: Record<Exclude<ActionKind, keyof typeof missing.actions>, ActionFunction> = {
  log,
  alert,
  notify,
  reply,
  webhook,
  app,
  mqtt,
  home_assistant: homeAssistant,
  ptz_preset: ptzPreset,
  save_clip: saveClip,
  save_picture: savePicture,
  site_mode: siteMode,
}
