import type { JsonValue } from '../../core/index.ts'
import type { EngineApi } from '../../engine/index.ts'
import type { MqttSetting } from '../../site/index.ts'

/** What Home Assistant can show of a box. */
export type Platform =
  | 'binary_sensor'
  | 'button'
  | 'event'
  | 'image'
  | 'select'
  | 'sensor'
  | 'switch'
  | 'update'

/** One thing that Home Assistant shows. Its key stays when its name changes. */
export interface Entity {
  /** Within this box: small letters, digits and _; part of its topics and of its unique id. */
  key: string
  platform: Platform
  name: string
  icon?: string
  category?: 'config' | 'diagnostic'
  /** What else Home Assistant is told of it: names of its MQTT integration. */
  config?: { [key: string]: JsonValue }
  /** Null: not known. Absent: it has none, or a picture. At most 255 characters count. */
  state?: string | null
  attributes?: { [key: string]: JsonValue }
  /** Carries out what was sent to it; answers with what came of it, for people. Rejects with why not. */
  command?(payload: string): Promise<string>
}

/** What there is to install on this box, as far as it is shown there. */
export interface HomeAssistantUpdates {
  view(): {
    available: { version: string; notes: string | null } | null
    underway: { step: string; percent: number } | null
  }
  /** Rejects where it cannot be. */
  ask(what: 'install', by: string): Promise<unknown>
}

/** What entities are made of. */
export interface Room {
  engine: Pick<EngineApi, 'workflows' | 'approvals' | 'answer' | 'setState' | 'submit' | 'holds' | 'learning'>
  setting: MqttSetting
  siteMode: { get(): string; set(mode: string, by: string): Promise<void>; modes: readonly string[] }
  /** What looks at pictures, and the language model: how each is. */
  models(): { eyes: string; language: string | null }
  version: string
  updates: HomeAssistantUpdates
  now(): number
}

/** Who comes by the broker: nobody knows which person that is. */
export const BY = { by: 'mqtt', name: 'Home Assistant (MQTT)' }

/** Longer is no state for Home Assistant. */
export const MOST_STATE = 255
