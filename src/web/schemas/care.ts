/** What keeps the box in order, and what is forgotten. */

import { LEVELS, type LogLine } from '../../core/index.ts'
import type { ForgetOutcome, ForgetPreview } from '../../engine/index.ts'
import { list, number, object, orNull, text, time, truth, view, whole, word } from './form.ts'

const counts = {
  runs: whole,
  pictures: whole,
  clips: whole,
  events: whole,
  notices: whole,
  cases: whole,
  audit: whole,
  promises: whole,
}
const kept = { copies: whole, set_aside: whole }

export const FORGET_PREVIEW = view<ForgetPreview & Record<keyof typeof kept, number>>('ForgetPreview')({
  ...counts,
  ...kept,
  running: whole,
  written: object({ workflows: list(text), rules: truth }),
})

export const FORGOTTEN = view<
  ForgetOutcome & Record<keyof typeof kept, number> & { copy_problem: string | null }
>('Forgotten')({
  ...counts,
  ...kept,
  kept: whole,
  left: list(whole),
  clean: truth,
  copy_problem: orNull(text),
})

export const LOG = object({
  lines: list(
    view<LogLine>('LogLine')({ seq: whole, at: time, level: word(...LEVELS), message: text, more: text }),
  ),
  last: whole,
  level: word(...LEVELS),
})

export const MACHINE = object({
  heat: orNull(object({ zone: text, celsius: number, limit: number })),
  slowed: orNull(truth),
  memory: orNull(object({ total: number, available: number })),
  up_seconds: orNull(number),
  engine_up_seconds: number,
  wear: orNull(object({ disk: text, used_percent: number, ends_soon: truth })),
  processes: list(
    object({ name: text, state: text, bytes: orNull(number), restarts: whole, pending: whole }),
  ),
})

export const BACKUPS = object({
  copies: list(object({ at: time, bytes: number })),
  set_aside: list(object({ name: text, at: orNull(time) })),
  last: orNull(object({ at: time, by: text, encrypted: truth, pictures: truth })),
  scheduled: orNull(object({ made_at: orNull(time), problem: orNull(text) })),
  restore_problem: orNull(text),
  restores: truth,
})

export const UPLOADED = object({ bytes: number, encrypted: truth })

export const TO_RESTORE = object({
  at: time,
  box: text,
  version: text,
  secrets: truth,
  pictures: whole,
  this_box: truth,
  restarting: truth,
})
