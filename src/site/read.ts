import type { Effect, Problem } from '../contract/index.ts'
import { cameraOf } from './camera.ts'
import type { Reach } from './channel-types.ts'
import { channelsOf } from './channels.ts'
import { differences } from './check.ts'
import { destinationOf } from './destination.ts'
import { facesOf } from './faces.ts'
import { homeAssistantOf } from './home-assistant.ts'
import { type HookRule, hooksOf } from './hooks.ts'
import { type Keep, keepOf } from './keep.ts'
import { languageOf, visionOf } from './language.ts'
import { mqttOf, topicOf } from './mqtt.ts'
import { natsOf } from './nats.ts'
import { nvrOf } from './nvr.ts'
import { unreachable } from './reach.ts'
import { reachOf } from './reached.ts'
import { type SiteData, SiteSchema } from './schema.ts'
import { systemZone } from './system-zone.ts'
import { bestFrameOf } from './tracks.ts'
import type {
  BackupsSetting,
  Camera,
  Destination,
  FacesSetting,
  HomeAssistantSetting,
  LanguageSetting,
  MqttSetting,
  NatsSetting,
  NvrSetting,
  ToolMode,
  Topic,
  UpdatesSetting,
  VisionSetting,
} from './types.ts'
import { backupsOf, updatesOf } from './upkeep.ts'
import { type Plain, readYaml } from './yaml.ts'

const MAX_FACT_WORDS = 300

/** A site file, understood. */
export interface SiteContent {
  timeZone: string
  facts: string
  modes: readonly string[]
  cameras: ReadonlyMap<string, Camera>
  /** Person → the roles that they bear. */
  people: ReadonlyMap<string, readonly string[]>
  /** How they are told. */
  reach: Reach
  lists: ReadonlyMap<string, readonly string[]>
  destinations: ReadonlyMap<string, Destination>
  /** Destinations on the broker; none bears the name of one of the others. */
  topics: ReadonlyMap<string, Topic>
  /** Destinations to which nothing will ever be sent → why. */
  unreachable: ReadonlyMap<string, string>
  apps: ReadonlyMap<string, ReadonlyMap<string, Effect>>
  plainAlertSources: ReadonlySet<string>
  trustedWebhooks: ReadonlySet<string>
  /** Webhooks, by their workflow's slug, that not everybody who knows their address may use. */
  hooks: ReadonlyMap<string, HookRule>
  informingServices: ReadonlySet<string>
  plateConfidence: number
  tools: ReadonlyMap<string, ToolMode>
  /** What an AI step has to have shown before its alerts may be more than `medium`. */
  alertGate: { marks: number; low: number }
  keep: Keep
  /** Calls of AI in an hour, of all workflows together; null: as each of them allows. */
  aiPerHour: number | null
  /** Null: this site has no language model. */
  language: LanguageSetting | null
  /** Where the best picture of what is followed is served; null: nowhere. */
  bestFrame: URL | null
  vision: VisionSetting | null
  /** Null: nobody compares faces. */
  faces: FacesSetting | null
  /** Null: this site has no MQTT broker. */
  mqtt: MqttSetting | null
  /** Null: no Home Assistant is asked here. */
  homeAssistant: HomeAssistantSetting | null
  /** Null: this site has no NVR. */
  nvr: NvrSetting | null
  /** Null: this site has no NATS server. */
  nats: NatsSetting | null
  /** Null: no newer release is looked for. */
  updates: UpdatesSetting | null
  /** Null: no backup is made by itself. */
  backups: BackupsSetting | null
}

/** The site of a box that was told nothing. */
export const NOTHING: SiteContent = contentOf({}, '', () => undefined)

/** Reads a site file; `content` is null where there are errors, and all of them are there; else there are warnings. */
export function readSite(
  text: string,
  file: string,
): { content: SiteContent | null; data: SiteData; problems: Problem[] } {
  const { data, problems, at } = readYaml(text, file)
  if (problems.length > 0) return { content: null, data: {}, problems }
  if (data === null) return { content: NOTHING, data: {}, problems }
  const report = (pointer: string, code: string, message: string) => {
    const path = pointer.slice(1).replaceAll('/', '.')
    problems.push({ severity: 'error', file, ...at(pointer), path, code, message })
  }
  const whole = withoutGaps(data)
  for (const { pointer, code, message } of differences(SiteSchema, whole)) report(pointer, code, message)
  if (problems.length > 0) return { content: null, data: {}, problems: inOrder(problems) }
  const content = contentOf(whole as SiteData, file, report)
  if (problems.length > 0) return { content: null, data: {}, problems: inOrder(problems) }
  const warnings = [...content.unreachable].map(([name, why]): Problem => {
    const pointer = `/destinations/${name}/url`
    const message = `destinations.${name}: nothing will be sent there: ${why}.`
    const path = `destinations.${name}.url`
    return { severity: 'warning', file, ...at(pointer), path, code: 'destination_unreachable', message }
  })
  return { content, data: whole as SiteData, problems: inOrder(warnings) }
}

/**
 * A key with nothing behind it counts as absent; a camera, person or list of which only the name is there is one
 * with nothing more to say.
 */
function withoutGaps(data: Plain, place: readonly string[] = []): Plain {
  if (data === null || typeof data !== 'object' || Array.isArray(data)) return data
  const whole: { [key: string]: Plain } = Object.create(null)
  for (const [key, value] of Object.entries(data)) {
    if (value !== null) whole[key] = withoutGaps(value, [...place, key])
    else if (place.length === 1) whole[key] = place[0] === 'lists' ? [] : {}
  }
  return whole
}

export type Report = (pointer: string, code: string, message: string) => void

/** What checked data says; `report` hears what no schema sees. `set`: which cameras were added on the box. */
export function contentOf(
  data: SiteData,
  file: string,
  report: Report,
  set: (camera: string) => boolean = () => false,
): SiteContent {
  const timeZone = data.time_zone ?? systemZone()
  if (data.time_zone !== undefined && !isTimeZone(data.time_zone)) {
    report('/time_zone', 'wrong_value', 'time_zone must be the name of a time zone, such as Europe/Berlin.')
  }
  const facts = (data.facts ?? '').trim()
  const words = facts.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
  if (words > MAX_FACT_WORDS) {
    report('/facts', 'too_long', `facts has ${words} words: keep it to ${MAX_FACT_WORDS}.`)
  }
  const mqtt = mqttOf(data.mqtt, file, report)
  const destinations = new Map<string, Destination>()
  const topics = new Map<string, Topic>()
  for (const [name, { topic, ...it }] of Object.entries(data.destinations ?? {}))
    if (topic === undefined) destinations.set(name, destinationOf(name, it, report))
    else if ([it.url, it.method, it.headers, it.sign].every(each => each === undefined))
      topics.set(name, topicOf(name, { topic, ...it }, mqtt, report))
    else
      report(
        `/destinations/${name}`,
        'wrong_value',
        `destinations.${name} has a topic: leave url, method, headers and sign out, they belong to addresses.`,
      )
  const hasHome = data.home_assistant !== undefined
  const channels = channelsOf(data.channels, { file, destinations, topics, hasHome, report })
  const reach = reachOf(data, channels, report)
  const home = homeAssistantOf(data.home_assistant, report)
  return {
    timeZone,
    facts,
    modes: data.modes ?? ['disarmed', 'armed_home', 'armed_away'],
    cameras: new Map(
      Object.entries(data.cameras ?? {}).map(([id, camera]) => [
        id,
        cameraOf(id, camera, { file, isSet: set(id), hasNvr: data.nvr !== undefined, report }),
      ]),
    ),
    people: new Map(Object.entries(data.people ?? {}).map(([name, person]) => [name, person.roles ?? []])),
    reach,
    lists: new Map(Object.entries(data.lists ?? {})),
    destinations,
    topics,
    unreachable: new Map(
      [...destinations.values()].flatMap(each => {
        const why = unreachable(each)
        return why === null ? [] : [[each.name, why] as const]
      }),
    ),
    apps: new Map(
      Object.entries(data.apps ?? {}).map(([id, actions]) => [id, new Map(Object.entries(actions))]),
    ),
    plainAlertSources: new Set(data.plain_alert_sources),
    trustedWebhooks: new Set(data.trusted_webhooks),
    hooks: hooksOf(data.hooks, report),
    informingServices: new Set(data.informing_services),
    tools: new Map(Object.entries(data.tools ?? {})),
    plateConfidence: Number(data.plate_confidence ?? '0.9'),
    alertGate: { marks: Number(data.alert_marks ?? '20'), low: Number(data.alert_accuracy ?? '0.8') },
    keep: keepOf(data.keep ?? {}),
    aiPerHour: data.ai_per_hour === undefined ? null : Number(data.ai_per_hour),
    language: languageOf(data.language, destinations, report),
    bestFrame: bestFrameOf(data.tracks, report),
    vision: visionOf(data.vision, destinations, report),
    faces: facesOf(data.faces, { destinations, people: Object.keys(data.people ?? {}) }, report),
    mqtt: mqtt && { ...mqtt, page: mqtt.page ?? reach.page },
    homeAssistant: home && { ...home, page: home.page ?? reach.page },
    nvr: nvrOf(data.nvr, report),
    nats: natsOf(data.nats, file, report),
    updates: updatesOf(data.updates, report),
    backups: backupsOf(data.backups, report),
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

function inOrder(problems: Problem[]): Problem[] {
  return problems.sort((a, b) => a.line - b.line || a.column - b.column)
}
