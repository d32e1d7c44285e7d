import type { ActionDescriptor } from '../../kind.ts'
import type { ActionKind } from '../../types.ts'
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
import { speak } from './speak.ts'
import { webhook } from './webhook.ts'

export const actions: Readonly<Record<ActionKind, ActionDescriptor>> = {
  alert,
  notify,
  log,
  save_clip: saveClip,
  save_picture: savePicture,
  ptz_preset: ptzPreset,
  webhook,
  mqtt,
  home_assistant: homeAssistant,
  site_mode: siteMode,
  app,
  reply,
  speak,
}
