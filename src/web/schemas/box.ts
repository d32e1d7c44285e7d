/** What the box and its site say of themselves. */
import { type TSchema, Type } from '@sinclair/typebox'
import type { UpkeepView } from '../../engine/index.ts'
import type {
  CameraView,
  ListChange,
  ListOutcome,
  RulesVersion,
  RulesVersionView,
  RulesView,
} from '../../site/index.ts'
import { RULE_PARTS } from '../../site/index.ts'
import { HTTPS } from '../listen/settings.ts'
import {
  anything,
  list,
  loose,
  number,
  object,
  optional,
  orNull,
  text,
  time,
  truth,
  under,
  view,
  whole,
  word,
} from './form.ts'

const FROM = word('file', 'page')
const EFFECT = word('read', 'tell', 'move')
const POLYGON = list(list(number))
const IN_FORCE: Record<keyof RulesView['in_force'], TSchema> = {
  facts: object({ text, from: FROM }),
  modes: object({ names: list(text), from: FROM }),
  people: list(
    view<RulesView['in_force']['people'][number]>('SitePerson')({
      name: text,
      roles: list(text),
      from: FROM,
      in_file: truth,
      told: list(object({ channel: text, from: text })),
      quiet: orNull(object({ from: text, to: text, days: orNull(list(text)) })),
    }),
  ),
  channels: list(object({ name: text, kind: text, people: list(text) })),
  apps: anything,
  lists: list(object({ name: text, entries: whole, from: FROM, hides_file: truth })),
  camera_roles: list(object({ camera: text, roles: list(text), from: FROM })),
  cameras: list(
    view<CameraView>('SiteCamera')({
      camera: text,
      name: text,
      from: FROM,
      source: orNull(
        object({
          kind: word('folder', 'snapshot', 'rtsp', 'onvif', 'nvr'),
          place: text,
          user: orNull(text),
          password: truth,
        }),
      ),
      zones: under(POLYGON),
      zones_from: FROM,
      masks: under(POLYGON),
      masks_from: FROM,
    }),
  ),
  tools: under(word('auto', 'ask', 'unavailable')),
  destinations: list(
    object({ name: text, class: EFFECT, host: text, problem: orNull(text), from: FROM, in_file: truth }),
  ),
  topics: list(object({ name: text, class: EFFECT, topic: text, from: FROM, in_file: truth })),
}

export const RULES = view<RulesView>('SiteRules')({
  version: whole,
  at: orNull(time),
  by: orNull(text),
  set: loose,
  in_force: object(IN_FORCE),
})

const versionMembers = { version: whole, by: text, change: text, at: time, facts: orNull(text) }

export const RULES_VERSION = view<RulesVersion>('SiteRulesVersion')(versionMembers)

const listChange = {
  added: whole,
  removed: whole,
  noted: whole,
  first_added: list(text),
  first_removed: list(text),
} satisfies Record<keyof ListChange, unknown>

/** Of one part, or of one list. */
const CHANGE = Type.Union([
  object({ part: word(...RULE_PARTS), before: anything, after: anything }),
  object({ part: word('list'), name: text, set: truth, ...listChange }),
])

export const RULES_VERSION_WITH_CHANGES = view<RulesVersionView>('SiteRulesVersionWithChanges')({
  ...versionMembers,
  changes: orNull(list(CHANGE)),
  back: orNull(list(CHANGE)),
})

export const LIST_SET = view<ListOutcome>('ListSet')({
  version: whole,
  entries: whole,
  duplicates: whole,
  ...listChange,
})

export const ENTRIES = object({
  version: whole,
  entries: list(object({ value: text, note: optional(text) })),
})

export const MODE = object({ mode: text, modes: list(text), kept_by: word('box', 'nvr') })

export const TRIED_CAMERA = object({ works: truth, message: orNull(text), picture: orNull(text) })
export const OFFERED_CAMERAS = object({ cameras: list(object({ id: text, name: text })) })
export const FOUND_CAMERAS = object({ cameras: list(object({ url: text, name: orNull(text) })) })

export const SITE_TEST = object({
  kind: word('channel', 'destination', 'camera'),
  name: text,
  outcome: word('works', 'failed', 'left'),
  message: text,
  ms: number,
  places: optional(list(object({ at: orNull(text), problem: orNull(text), ms: number }))),
})

const listen = { host: text, port: whole, https: word(...HTTPS) }

export const HTTP = object({
  ...listen,
  pinned: list(text),
  trial: orNull(object({ until: time, by: text, before: object(listen) })),
  url: text,
  fingerprint: orNull(text),
})

const STORAGE = view<UpkeepView>('Storage')({
  low: truth,
  free_bytes: orNull(number),
  stored_bytes: orNull(number),
})

/** What is shown of it beyond this is about the whole box, and left out for whoever sees some cameras only. */
export const HEALTH = object({
  ready: truth,
  time_zone: text,
  version: text,
  shed: under(number),
  storage: STORAGE,
  cameras: list(
    object({
      id: text,
      name: text,
      roles: list(text),
      problem: orNull(text),
      last_frame_at: orNull(time),
      offline_since: orNull(time),
      ping_ms: optional(orNull(number)),
    }),
  ),
  inference: optional(object({ state: text, restarts: whole, pending: whole })),
  safe_mode: optional(orNull(text)),
  clock: optional(object({ unset: truth })),
  site_problem: optional(orNull(text)),
  connections: optional(under(text)),
  nvr: optional(orNull(loose)),
})

export const CHECKUP = object({
  checks: list(
    object({
      area: text,
      name: orNull(text),
      state: word('good', 'note', 'bad'),
      text,
      advice: orNull(text),
    }),
  ),
  report: loose,
})

const MODEL_FILE = object({ path: text, state: text })
const OF_STATE = orNull(loose)

export const MODELS = object({
  gates: list(object({ suite: text, passed: truth, why: orNull(text) })),
  models: list(
    object({
      name: text,
      task: text,
      description: text,
      licence: text,
      source: anything,
      calibrated_on: number,
      files: list(MODEL_FILE),
    }),
  ),
  installed: list(
    object({
      name: text,
      task: text,
      known: anything,
      architecture: orNull(text),
      quantisation: orNull(text),
      context: orNull(number),
      bytes: number,
      need_bytes: orNull(number),
      misfit: orNull(text),
      in_use: truth,
      warnings: list(text),
    }),
  ),
  language: OF_STATE,
  vision: OF_STATE,
})

/** Found by looking, and what was made of it: more with every kind of hardware. */
export const HARDWARE = loose
