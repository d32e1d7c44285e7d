import type { AppParam, Effect } from '../contract/index.ts'
import type { JsonValue } from '../core/index.ts'
import type { Channel } from './channel-types.ts'

/** Where something of a camera is asked, and as whom; the password is a secret that is looked up when it is asked. */
export interface Place {
  url: URL
  user: string | null
  password: { secret: string } | null
}

export type CameraSource =
  /** The newest picture in a folder; absolute path. `boxed`: below the box's own folder for pictures, which it must not leave. */
  | { kind: 'folder'; path: string; boxed?: true }
  /** A JPEG over HTTP. */
  | ({ kind: 'snapshot' } & Place)
  /** A stream, by RTSP. */
  | ({ kind: 'rtsp' } & Place)
  /** A camera that says by ONVIF where its picture is. */
  | ({ kind: 'onvif' } & Place)
  /** A camera of the NVR, as the NVR calls it. */
  | { kind: 'nvr'; camera: string }

export interface Camera {
  id: string
  /** For people. */
  name: string
  roles: readonly string[]
  /** Null: pictures of it come with events only. */
  source: CameraSource | null
  /** From where clips are recorded, by RTSP; null: from nowhere that the file names. */
  stream: Place | null
  /** Where it is turned, by ONVIF; null: nowhere. */
  ptz: Place | null
  /** Relative polygons (0 to 1). */
  zones: ReadonlyMap<string, Polygon>
  /** What nobody is to see of it. */
  masks: ReadonlyMap<string, Polygon>
  from: RuleSource
}

/** Relative points of the upright picture (0 to 1), from its top left. */
export type Polygon = [number, number][]

export interface Destination {
  name: string
  url: URL
  /** What sending there does. */
  class: Effect
  /** The method that it takes, or null: the workflow chooses. */
  method: string | null
  /** A text, or the name of a secret that is looked up when it is sent. */
  headers: readonly { name: string; value: string | { secret: string } }[]
  /** What requests are signed with, so that their receiver knows whom they are from; null: they are not. */
  sign: { secret: string } | null
}

/** A destination on the site's MQTT broker. */
export interface Topic {
  name: string
  topic: string
  /** What publishing there does. */
  class: Effect
  retain: boolean
  qos: 0 | 1
}

/** What may be done through the broker by whoever may publish there. */
export type MqttMay = 'press' | 'answer' | 'states' | 'pause' | 'unpause' | 'site_mode' | 'update'

/** Where releases are found, or backups laid: a folder, a disk that is mounted for just that, an address. */
export type Shelf =
  | { kind: 'folder'; path: string }
  | { kind: 'disk'; by: 'LABEL' | 'UUID'; name: string; folder: string }
  | { kind: 'url'; url: URL }

/** Where newer releases are looked for; nothing is fetched from anywhere else. */
export interface UpdatesSetting {
  from: Shelf
  /** As the file has it. */
  text: string
  /** `03:30` of the site's clock, when they are installed without being asked; null: never. */
  at: string | null
}

export interface BackupsSetting {
  to: Shelf
  text: string
  at: string | null
  /** Newest that stay. */
  keep: number
  /** Who alone can open them, `age1…`; null: everybody. */
  recipient: string | null
  pictures: boolean
}

/** The Home Assistant whose services are called. */
export interface HomeAssistantSetting {
  url: URL
  token: { secret: string }
  /** Where people open the box's page. */
  page: string | null
  /** `role:guard` or `person:ann` → the services that put a question before them. */
  ask: ReadonlyMap<string, readonly string[]>
}

/** The site's MQTT broker; what is null goes by the box's own id. */
export interface MqttSetting {
  url: URL
  user: string | null
  password: { secret: string } | null
  /** File of the certificates that its own is signed with; null: those that this machine knows. */
  ca: string | null
  clientId: string | null
  /** Above all topics of this box. */
  base: string | null
  /** Where Home Assistant looks for devices. */
  discoveryPrefix: string
  /** What the box is called there. */
  name: string
  /** Where people open its page. */
  page: string | null
  may: ReadonlySet<MqttMay>
}

/** A model behind a listed destination. */
export interface ServerModel {
  kind: 'server'
  destination: string
  api: 'openai' | 'ollama' | 'kaic'
  model: string
  sees: boolean
}

/** The language model of a site: a server's, or a file that is installed on this box. */
export type LanguageSetting = ServerModel | { kind: 'file'; file: string }

/** The model that Looks at pictures ask: a server's, or a folder that is installed on this box. */
export type VisionSetting = ServerModel | { kind: 'folder'; folder: string }

/** Who compares faces. */
export interface FacesSetting {
  destination: string
  /** Who agreed to it. */
  people: readonly string[]
  /** From which similarity on a face is theirs. */
  sure: number
}

/** The NVR of a site. */
export interface NvrSetting {
  /** What its routes are behind: no credentials, no slash at the end. */
  url: URL
  /** The key of its internal routes, by the secret's name. */
  key: { secret: string } | null
  /** A person's or an integration's token, for what its internal key may not do. */
  token: { secret: string } | null
  /** Whose mode the site is in. */
  siteMode: 'nvr' | 'box'
}

/** A server that is named in a site file; the host is as in a URL. */
export interface NatsServer {
  host: string
  port: number
  /** Its address asks for TLS. */
  tls: boolean
}

/** The NATS server of a site, or the servers of its cluster. */
export interface NatsSetting {
  servers: readonly NatsServer[]
  /** Secrets by their names. */
  auth:
    | { kind: 'none' }
    | { kind: 'token'; token: { secret: string } }
    | { kind: 'user'; user: string; password: { secret: string } | null }
    | { kind: 'nkey'; seed: { secret: string } }
  /** Nothing is said before the line is encrypted. */
  tls: boolean
  /** Absolute path of the certificate that signed theirs; null: whom the system trusts. */
  ca: string | null
  /** Boxes in one queue group share its messages. */
  queue: string
  /** Where events and alerts are taken from a stream that keeps them; null: they are heard as they are sent. */
  jetstream: { stream: string; durable: string } | null
}

/** An app of the NVR, as its manifest has it. */
export interface KnownApp {
  id: string
  /** For people. */
  name: string
  actions: ReadonlyMap<string, KnownAction>
  /** It raises alerts. */
  raises: boolean
}

export interface KnownAction {
  /** For people. */
  label: string
  /** It only informs, for all that is known: what was a move once stays one until the site file says otherwise. */
  informing: boolean
  params: ReadonlyMap<string, AppParam>
}

/** How a tool may be used: by itself, after a person agreed, or not at all. */
export type ToolMode = 'auto' | 'ask' | 'unavailable'

/** An entry of a list, and what people noted about it. */
export interface ListEntry {
  value: string
  note?: string
}

/** Where a rule comes from: the site file, or set on this box. */
export type RuleSource = 'file' | 'page'

/** A camera for whoever looks after the site. */
export interface CameraView {
  camera: string
  name: string
  from: RuleSource
  /** Where its pictures come from; an address has neither user nor password nor query. */
  source: { kind: CameraSource['kind']; place: string; user: string | null; password: boolean } | null
  zones: { [name: string]: Polygon }
  zones_from: RuleSource
  masks: { [name: string]: Polygon }
  masks_from: RuleSource
}

/** The site's rules: what was set on this box, and what is in force. */
export interface RulesView {
  version: number
  at: string | null
  by: string | null
  /** What `PUT` replaces; what is not named here is as the site file says. */
  set: { [key: string]: JsonValue }
  in_force: {
    facts: { text: string; from: RuleSource }
    modes: { names: readonly string[]; from: RuleSource }
    /** `told`: how, the mildest first that is told there. `in_file`: the site file has somebody of that name. */
    people: {
      name: string
      roles: readonly string[]
      from: RuleSource
      in_file: boolean
      told: { channel: string; from: string }[]
      quiet: { from: string; to: string; days: readonly string[] | null } | null
    }[]
    /** How people are told, as the site file says. */
    channels: { name: string; kind: Channel['kind']; people: readonly string[] }[]
    /** What apps of the NVR may be asked to do, by the class that is in force. */
    apps: JsonValue
    /** `hides_file`: the site file has a list of that name, which does not count. */
    lists: { name: string; entries: number; from: RuleSource; hides_file: boolean }[]
    camera_roles: { camera: string; roles: readonly string[]; from: RuleSource }[]
    cameras: CameraView[]
    tools: { [name: string]: ToolMode }
    /** `problem`: why nothing will ever be sent there. `in_file`: the site file has one of that name. */
    destinations: {
      name: string
      class: Effect
      host: string
      problem: string | null
      from: RuleSource
      in_file: boolean
    }[]
    /** Destinations on the MQTT broker. */
    topics: { name: string; class: Effect; topic: string; from: RuleSource; in_file: boolean }[]
  }
}

export interface RulesVersion {
  version: number
  by: string
  change: string
  at: string
  /** The facts in force. */
  facts: string | null
}

/** A part of the rules that is set as one; lists are set each for itself. */
export type RulePart =
  | 'facts'
  | 'modes'
  | 'people'
  | 'camera_roles'
  | 'cameras'
  | 'zones'
  | 'masks'
  | 'tools'
  | 'destinations'

/** What becomes of a list: how many, and the first of them by name. */
export interface ListChange {
  added: number
  removed: number
  /** Entries that stay, with another note. */
  noted: number
  first_added: string[]
  first_removed: string[]
}

/** What a version changed; `before` and `after` null: as the site file says. */
export type RuleChange =
  | { part: RulePart; before: JsonValue; after: JsonValue }
  | ({ part: 'list'; name: string /** False: the site file's counts again. */; set: boolean } & ListChange)

export interface RulesVersionView extends RulesVersion {
  /** What it changed on this box; null: its text is no longer kept. */
  changes: RuleChange[] | null
  /** What would change if it came back; null: it cannot. */
  back: RuleChange[] | null
}

/** What came of a list that was set, or what would. */
export interface ListOutcome extends ListChange {
  version: number
  entries: number
  duplicates: number
}

/** What the floors above may ask about the site's rules. `expected`: rejects with `rules_changed` (409) if not at it. */
export interface SiteRulesApi {
  view(): RulesView
  /** Newest first. */
  versions(): RulesVersion[]
  /** One of them, with what it changed; null: there is none. */
  version(version: number): RulesVersionView | null
  /** Sets all that is set on this box anew. Rejects with `rules_invalid`. */
  put(data: unknown, by: string, expected: number | null): Promise<RulesView>
  /** Sets one part anew; null: as the site file says. Rejects with `rules_invalid`. */
  putPart(part: RulePart, value: unknown, by: string, expected: number | null): Promise<RulesView>
  /** Sets what was set in a former version. Rejects with `not_kept` (404). */
  takeBack(version: number, by: string, expected: number | null): Promise<RulesView>
  /** A list as CSV, or null. */
  list(name: string): string | null
  /** Its entries, or null. */
  entries(name: string): readonly ListEntry[] | null
  /** What setting a list would change. Throws `csv_invalid`. */
  previewList(name: string, csv: string): ListOutcome
  /** Sets a list. Rejects with `csv_invalid` or `rules_invalid`. */
  putList(name: string, csv: string, by: string, expected?: number | null): Promise<ListOutcome>
  /** The same by its entries, each a text or `{ value, note }`. */
  putEntries(name: string, data: unknown, by: string, expected: number | null): Promise<ListOutcome>
  /** Takes a list that was set on this box away: the site file's counts again. Rejects with `not_set` (404). */
  dropList(name: string, by: string, expected?: number | null): Promise<{ version: number }>
}
