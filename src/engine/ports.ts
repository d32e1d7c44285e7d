import type { Decision, DecisionSpec, LanguageModel, LookInput } from '../ai/index.ts'
import type { Bus, Clock, IncomingEvent, JsonValue, Log } from '../core/index.ts'
import type {
  Archive,
  CameraHealth,
  Cameras,
  Faces,
  Outgoing,
  Records,
  SiteModePort,
  SitePort,
  World,
} from '../kinds/index.ts'
import type { MediaFiles, Store } from '../store/index.ts'
import type { Vision } from '../vision/index.ts'
import type { Calling } from './calls.ts'
import type { KeepOptions } from './keep/retention.ts'
import type { TemplateSet } from './learn/template.ts'
import type { CameraScope } from './reach.ts'
import type { BoxSpeed } from './too-slow.ts'
import type { EngineTopics } from './types.ts'

/**
 * One look at pictures; answers `unsure` rather than rejecting. `now`: the clock of whoever asks, by which the age of
 * a picture is judged; where a file is tried on what was, that is not the box's.
 */
export type Look = (
  spec: DecisionSpec,
  input: LookInput,
  options: { timeoutMs: number; signal: AbortSignal; now: () => number },
) => Promise<Decision>

/** The language model as it is now. */
export interface Language {
  /** Whether the site names one: one that was never there is not missed. */
  readonly named: boolean
  /** Null: there is none to ask. */
  readonly model: LanguageModel | null
  /** Whom Looks at pictures ask instead; null or absent: nobody. */
  readonly vision?: LanguageModel | null
  /** Why it may not investigate on this box; null or absent: it may. */
  readonly barred?: string | null
}

/** What a tool answered, by its name and the arguments; it throws what the tool failed with. Null: it is at work. */
export type Replay = (tool: string) => ((args: { [name: string]: JsonValue }) => JsonValue) | null

export interface ToolPorts {
  /** Where a case is replayed: what tools answered when it was recorded. Absent: each is at work. */
  replay?: Replay
  vision: Vision | null
  health: CameraHealth | null
  /** Absent: nobody compares faces. */
  faces?: Faces
  /** Where a file is tried on what was: the box's own, and not those of the try. Absent: those of the engine's store. */
  records?: Records
  /** Who else keeps what was. Absent: nobody, or nobody who is asked. */
  archive?: Archive
}

/** How much is taken on and kept, and how long is waited; each has a default. */
export interface EngineOptions {
  /** What is kept for how long, and how much room it may take. */
  keep?: KeepOptions
  /** The longest that a Look may take where its step does not say; default 120 s. */
  lookMs?: number
  /** How long after each try of a message the next one follows, ms; default 1 s to 10 min, empty: one try. */
  tellRetriesMs?: readonly number[]
  /** Where tries have their throw-away databases; the system's folder for such where absent. */
  scratchDir?: string
  /** Runs at work at the same time, those that wait not counted; default 512. */
  mostRuns?: number
}

/** The case sets that come with the templates. */
export interface Templates {
  /** Those of the template that a workflow of that slug was made from; null: of none. */
  find(slug: string): TemplateSet | null
}

/** What the engine works with. The floors above supply it. */
export interface EngineDeps {
  store: Store
  media: MediaFiles
  clock: Clock
  log: Log
  bus: Bus<EngineTopics>
  /** The site as it is now: the file may be read again while the box runs. */
  site: () => SitePort
  look: Look
  /** The language model of the site. Absent: it names none. */
  language?: Language
  /** What tools of investigations work with besides cameras and site. Absent: nothing looks at pictures. */
  tools?: ToolPorts
  /** How quick this box was measured to be, or null; absent: not known. */
  speed?: () => BoxSpeed | null
  /** Absent: workflows come from no template. */
  templates?: Templates
  outgoing: Outgoing
  cameras: Cameras
  /** What an event goes through first, so that its pictures show nothing that is not to be seen. Absent: nothing. */
  door?: (event: IncomingEvent) => Promise<IncomingEvent>
  siteMode: SiteModePort
  /** Who else is there to be asked. Absent: nobody. */
  world?: World
  /** Bytes of the disk of the data folder, and those of them that are free; without it the disk is not watched. */
  disk?: () => Promise<{ total: number; free: number }>
  /** The cameras that a user may see; null: all. Absent: nobody is bound. */
  scopeOf?: (user: number) => CameraScope
  /** What the site says of how long things are kept; read anew each time. */
  keep?: () => KeepOptions
  options?: EngineOptions
  /** The engine's own: something was left out, and is counted under this word. */
  onShed?: (what: string) => void
  /** The engine's own: the calls to people that are going on. */
  calling?: Calling
}
