import type { Effect } from '../contract/index.ts'
import type { JsonValue } from '../core/index.ts'

export type CameraSource =
  /** The newest picture in a folder; absolute path. */
  | { kind: 'folder'; path: string }
  /** A JPEG over HTTP; its password is a secret that is looked up when it is asked. */
  | { kind: 'snapshot'; url: URL; user: string | null; password: { secret: string } | null }

export interface Camera {
  id: string
  /** For people. */
  name: string
  roles: readonly string[]
  /** Null: pictures of it come with events only. */
  source: CameraSource | null
  /** Relative polygons (0 to 1). */
  zones: ReadonlyMap<string, [number, number][]>
}

export interface Destination {
  name: string
  url: URL
  /** What sending there does. */
  class: Effect
  /** The method that it takes, or null: the workflow chooses. */
  method: string | null
  /** A text, or the name of a secret that is looked up when it is sent. */
  headers: readonly { name: string; value: string | { secret: string } }[]
}

/** The language model of a site. */
export type LanguageSetting =
  /** Behind a listed destination. */
  | { kind: 'server'; destination: string; api: 'openai' | 'ollama' | 'kaic'; model: string; sees: boolean }
  /** A file that is installed on this box. */
  | { kind: 'file'; file: string }

/** How a tool may be used: by itself, after a person agreed, or not at all. */
export type ToolMode = 'auto' | 'ask' | 'unavailable'

/** An entry of a list, and what people noted about it. */
export interface ListEntry {
  value: string
  note?: string
}

/** Where a rule comes from: the site file, or set on this box. */
export type RuleSource = 'file' | 'page'

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
    people: { name: string; roles: readonly string[]; from: RuleSource }[]
    /** `hides_file`: the site file has a list of that name, which does not count. */
    lists: { name: string; entries: number; from: RuleSource; hides_file: boolean }[]
    camera_roles: { camera: string; roles: readonly string[]; from: RuleSource }[]
    tools: { [name: string]: ToolMode }
    /** `problem`: why nothing will ever be sent there. */
    destinations: {
      name: string
      class: Effect
      host: string
      problem: string | null
      from: RuleSource
    }[]
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

/** What the floors above may ask about the site's rules. */
export interface SiteRulesApi {
  view(): RulesView
  /** Newest first. */
  versions(): RulesVersion[]
  /** Sets all that is set on this box anew. Rejects with `rules_invalid`, or `rules_changed` if not at `expected`. */
  put(data: unknown, by: string, expected: number | null): Promise<RulesView>
  /** A list as CSV, or null. */
  list(name: string): string | null
  /** Sets a list. Rejects with `csv_invalid` or `rules_invalid`. */
  putList(
    name: string,
    csv: string,
    by: string,
  ): Promise<{ version: number; entries: number; duplicates: number }>
  /** Takes a list that was set on this box away: the site file's counts again. Rejects with `not_set` (404). */
  dropList(name: string, by: string): Promise<{ version: number }>
}
