/** What the web floor is given by the composition root. */
import type { Problem, Renaming } from '../contract/index.ts'
import type { Bus, Clock, JsonValue, Log } from '../core/index.ts'
import type { CameraScope, EngineApi, EngineTopics, Outline, Wanted } from '../engine/index.ts'
import type { SiteRulesApi } from '../site/index.ts'
import type { Store } from '../store/index.ts'
import type { Access } from './access/index.ts'
import type { CarePort } from './care.ts'
import type { Listen } from './listen/settings.ts'
import type { Metric } from './metrics.ts'

/** Stored pictures and clips by media id. */
export interface MediaSource {
  /** Null where there is none (never was, or its time is over). `type`: `image/jpeg`, `video/mp4` … */
  open(id: number): Promise<{ body: Blob; type: string } | null>
}

/** What a file of this site may name. */
export interface NamesHere {
  cameras: { id: string; roles: readonly string[]; zones: readonly string[] }[]
  lists: string[]
  /** Those that people bear, and the people. */
  roles: string[]
  people: string[]
  modes: string[]
  /** Addresses, and topics of MQTT. */
  destinations: string[]
  topics: string[]
  tools: string[]
  /** Of events. */
  schemas: string[]
  /** Apps of the NVR, each with its actions. */
  apps: Record<string, string[]>
}

/** A file from elsewhere, as it would be here. */
interface Inspected {
  /** With the names of this site. */
  yaml: string
  problems: Problem[]
  /** It can be stored. */
  holds: boolean
  /** What it would do, also where it does not hold yet; null: it is not understood. */
  outline: Outline | null
  wanted: Wanted[]
}

/**
 * Checks files without storing them, and describes what files may hold. `scope`: who asks sees these cameras, and of
 * the site no name is told to them that they do not name themselves; null: they see all.
 */
export interface Authoring {
  validate(yaml: string, scope: CameraScope): Problem[]
  /** The same of a file from elsewhere, with names of this site in place of its own. */
  inspect(yaml: string, scope: CameraScope, names?: Renaming): Inspected
  /** As a file for another site; null: it is not understood. */
  portable(yaml: string, slug: string): string | null
  /** Those that come with the program. */
  templates(): { file: string; name: string; description: string | null; yaml: string }[]
  /** A workflow out of a sentence, saved nowhere. Rejects with `GatehouseError`. */
  draft(
    sentence: string,
    signal: AbortSignal,
    scope: CameraScope,
  ): Promise<{ yaml: string; problems: Problem[]; rounds: number; model: string }>
  /** Every registered kind with its parameters. */
  registry(): object
  /** What the site has by name, for whoever writes a file. */
  names(): NamesHere
  /** JSON Schema of `workflow.v1`. */
  schema(): object
}

/** Who may use the webhooks of workflows, beyond knowing their addresses. */
export interface Hooks {
  /** Throws where the webhook of that workflow may not be called from an address; null: this machine. */
  assertFrom(slug: string, address: string | null): void
  /** Throws where the call has to be signed and is not. */
  assertSigned(slug: string, headers: Headers, body: Uint8Array): void
  /** Fetches a picture from a listed address. */
  picture(address: string, signal: AbortSignal): Promise<Uint8Array>
}

/** By which people answer a question without a login. */
export interface AnswerLinksPort {
  /** Whose it is, and to which question; null: it is none, or not any more. */
  find(secret: string): { question: number; person: string } | null
  /** That question, as whoever has the link may see it; null: it is gone. */
  view(link: { question: number; person: string }): object | null
}

/** Tries what the site names. */
export interface SiteTester {
  /** Rejects where there is nothing of that name (404). `by`: for the audit. */
  run(
    kind: 'channel' | 'destination' | 'camera',
    name: string,
    by: string,
    signal: AbortSignal,
  ): Promise<object>
}

/** The mode that the site is in. */
export interface SiteModeSwitch {
  get(): string
  readonly modes: readonly string[]
  /** Who keeps it: this box, or the site's NVR. */
  readonly keptBy: 'box' | 'nvr'
  /** Rejects with `mode_unknown`, or with what the NVR says against it. `by`: for the audit. */
  set(mode: string, by: string): Promise<void>
}

/** What the page shows of cameras, and how one is added there. */
export interface CameraDeskPort {
  /** A JPEG of now. Rejects where there is none. */
  picture(id: string, side: number): Promise<{ bytes: Uint8Array; takenAt: number | null }>
  /** Asks a camera that is not yet set for a picture. Rejects where it cannot be set. */
  try(
    id: string,
    camera: unknown,
    password: string | null,
  ): Promise<{ works: boolean; message: string | null; picture: string | null }>
  /** Keeps a camera's password; answers with the name of its secret. */
  keepPassword(password: string, by: string): Promise<string>
  /** The cameras of the NVR. */
  offered(signal: AbortSignal): Promise<{ id: string; name: string }[]>
  /** The cameras that answer in the networks of this box. */
  discover(signal: AbortSignal): Promise<{ url: string; name: string | null }[]>
}

/** What the box says about itself. */
export interface SystemInfo {
  hardware(): Promise<JsonValue>
  models(): Promise<JsonValue>
  /** Everything that was looked at, and what stands in the report of a hand-over. */
  checkup(): Promise<JsonValue>
  /**
   * `ready`: runs can be taken. `safe`: nothing runs, but what is stored can be reached. `details` is shown as it is.
   * `shed`: what was too much, counted.
   */
  health(): {
    ready: boolean
    safe?: boolean
    details: Record<string, JsonValue>
    shed?: Record<string, number>
  }
  /** Counters and gauges of what lies below the engine's door. */
  metrics(): Metric[]
  /** IANA name of the site's zone. */
  timeZone(): string
  version: string
}

/** Which release runs, which one there is, and what came of the last update. */
export interface UpdatesView {
  installed: string
  /** The newest that was seen, if it is newer; `notes`: one line of what is new. */
  available: { version: string; notes: string | null } | null
  checked_at: string | null
  /** Why the last look for one came to nothing. */
  problem: string | null
  underway: { to: string; step: 'fetching' | 'switching' | 'watching' | 'back'; percent: number } | null
  last: {
    outcome: 'done' | 'rolled_back' | 'refused' | 'failed'
    from: string
    to: string | null
    at: string
    why: string | null
  } | null
  /** Where releases are looked for; null: the site lists nothing. */
  source: string | null
  /** `03:30` of the site's clock, when one is installed without being asked. */
  auto: string | null
  /** Why none can be installed from here; null: it can. */
  not_here: string | null
}

/** Updates, as far as the box may ask for them. */
export interface UpdatesPort {
  view(): UpdatesView
  /** Rejects with `not_possible` (409). `by`: for the audit. */
  ask(what: 'check' | 'install', by: string): Promise<UpdatesView>
}

export interface WebDeps {
  /** Where nothing was set; 0 takes any free port. */
  port: number
  /** What the command line says of where to listen. */
  pinned?: Partial<Listen>
  /** The data folder: commands on the box come in there, and certificates lie there. */
  dataDir: string
  store: Store
  engine: EngineApi
  access: Access
  bus: Bus<EngineTopics>
  media: MediaSource
  authoring: Authoring
  hooks: Hooks
  /** Absent: nobody was sent any. */
  links?: AnswerLinksPort
  siteTests: SiteTester
  cameras: CameraDeskPort
  siteRules: SiteRulesApi
  siteMode: SiteModeSwitch
  system: SystemInfo
  care: CarePort
  updates: UpdatesPort
  clock: Clock
  log: Log
  /** Has something to say to people. */
  tell?(news: { title: string; body: string }): void
  /** Of all bodies under way together; default 64 MB. */
  mostBodyBytes?: number
}
