/**
 * The typed form of a `workflow.v1` file, and what is said about one.
 *
 * Every node of a flow (trigger, condition, step) is `{ kind, params }`; a step also carries the paths that
 * may run after it. Parameters stay as the author wrote them (a duration is still `"5m"`), already checked
 * against the schema of their kind. Only conditions nested in parameters are turned into nodes.
 */

/** Anything that JSON can hold. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** What a step or tool does outside the box. */
export type Effect = 'read' | 'tell' | 'move'

export type Severity = 'low' | 'medium' | 'high' | 'critical'

/** What the owner set the workflow to. */
export type WorkflowState = 'off' | 'test' | 'on'

export type TriggerKind =
  | 'alert'
  | 'event'
  | 'detect.person_in_zone'
  | 'camera_offline'
  | 'schedule'
  | 'button'
  | 'webhook'
  | 'message'
  | 'watch'

export type ConditionKind =
  | 'time'
  | 'site_mode'
  | 'camera'
  | 'value'
  | 'in_list'
  | 'not'
  | 'any'
  | 'all'
  | 'text_visible'
  | 'step_succeeded'
  | 'elapsed'

/** Steps that branch, wait or ask. */
export type FlowKind = 'ai' | 'if' | 'for_each' | 'ask_person' | 'call' | 'wait' | 'wait_for'

/** Steps that do something and go on. */
export type ActionKind =
  | 'alert'
  | 'notify'
  | 'log'
  | 'save_clip'
  | 'save_picture'
  | 'ptz_preset'
  | 'webhook'
  | 'mqtt'
  | 'home_assistant'
  | 'site_mode'
  | 'app'
  | 'reply'
  | 'speak'

export type StepKind = FlowKind | ActionKind

export interface Trigger {
  kind: TriggerKind
  /** As written. */
  params: { [key: string]: Json }
}

export interface Condition {
  kind: ConditionKind
  /** `not` holds one condition, `any` and `all` a list of them; every other kind its parameters as written. */
  params: Json | Condition | Condition[]
}

export interface Step {
  kind: StepKind
  /** The author's name for later `{name.value}` references. */
  name?: string
  /**
   * As written, without the paths. In `if` it is `Condition[]`; in `wait_for` its `until` is a `Condition`.
   * `log`, `wait` and `reply` have a text here.
   */
  params: unknown
  /**
   * Outcome name → the steps that run when that outcome is chosen: the decisions and `unsure` of `ai`,
   * `then`/`else` of `if`, `do` of `for_each`, replies and `no_answer` of `ask_person`, `met`/`timeout` of
   * `wait_for`. Absent optional paths are absent keys. Actions have none.
   */
  paths: { [outcome: string]: Step[] }
}

export interface Limits {
  cooldown?: string
  one_at_a_time?: 'camera' | 'plate' | 'track'
  per_hour?: number
  ai_per_hour?: number
}

export interface Needs {
  cameras?: string[]
  lists?: string[]
  roles?: string[]
  destinations?: { [name: string]: Effect }
  apps?: string[]
  skills?: string[]
}

/** A whole file, checked. */
export interface Workflow {
  contract: 'workflow.v1'
  name: string
  description?: string
  needs?: Needs
  /** `test` where the file does not say. */
  state: WorkflowState
  limits: Limits
  when: Trigger
  if: Condition[]
  then: Step[]
  always: Step[]
}

/**
 * Where a node stands, as one string: `when`, `if[0]`, `then[0]`, `then[0].delivery[1]`, `always[0]`.
 * Problems use it with a parameter behind it (`then[0].ai.rules[1]`), run rows use it as it is.
 */
export type NodePath = string

/** 1-based line and column (UTF-16 code units) in the source. */
export interface Position {
  line: number
  column: number
}

/** One replacement in the source text: `[from, to)` in UTF-16 code units becomes `insert`. */
export interface TextEdit {
  from: number
  to: number
  insert: string
}

/** A change that a machine can apply; the edits of one fix do not overlap. */
export interface Fix {
  title: string
  edits: TextEdit[]
}

export interface Problem {
  severity: 'error' | 'warning'
  file?: string
  line: number
  column: number
  path: string
  /** Stable, in `snake_case`: tests and other programs rely on it. */
  code: string
  /** One sentence that says what to do. */
  message: string
  fix?: Fix
}

/** Where each path of the source stands; what is asked for and is not there answers with its nearest parent. */
export type Locate = (path: string) => Position & { from: number; to: number }

export interface Parsed {
  /** Present when there is no problem of severity `error`. */
  workflow?: Workflow
  problems: Problem[]
  locate: Locate
}

/** A parameter of an app's action, as its manifest has it. */
export interface AppParam {
  /** `str`, `int`, `float`, `bool`, `list`, `dict`; others are the app's to judge. */
  type: string
  /** It has to be given: there is no default. */
  required: boolean
  /** What it may be; null: anything of its type. */
  choices: readonly Json[] | null
}

/** What is known of an action of an app. */
export interface AppAction {
  informing: boolean
  /** Absent: nobody told what it takes. */
  params?: ReadonlyMap<string, AppParam>
}

/**
 * What is known of the site while a file is checked. Absent: the file stands alone, unknown names are
 * warnings and the classes in `needs.destinations` count.
 */
export interface SiteView {
  /** Camera roles that some camera bears. */
  roles: ReadonlySet<string>
  /** Camera role → the zones drawn on cameras that bear it. Absent: any may be there. */
  zones?: ReadonlyMap<string, ReadonlySet<string>>
  lists: ReadonlySet<string>
  people: ReadonlySet<string>
  /** Roles that people bear (`guard`). */
  personRoles: ReadonlySet<string>
  destinations: ReadonlyMap<string, Effect>
  /** Those destinations that are MQTT topics; the others are addresses. */
  topics?: ReadonlySet<string>
  /** Destinations to which nothing will ever be sent → why. */
  unreachable?: ReadonlyMap<string, string>
  /** App id → action name → is it informing (manifest `confirm: false` or marked by an admin)? */
  apps: ReadonlyMap<string, ReadonlyMap<string, AppAction>>
  /** There may be others: whoever has them was not to be asked yet. */
  appsUnknown?: boolean
  /** Apps that raise alerts, by what an `alert` trigger calls them. Absent: nobody told which there are. */
  alertSources?: ReadonlySet<string>
  tools: ReadonlySet<string>
  /** Alert sources that an admin listed as plain (no AI behind them). */
  plainAlertSources: ReadonlySet<string>
  /** Whether this workflow's webhook was marked trusted. */
  trustedWebhook: boolean
  /** `<service> <entity>` pairs of Home Assistant that an admin marked as informing. */
  informingServices: ReadonlySet<string>
  /** Roles whose camera's events guard a move: there `ptz_preset` is a move. */
  guardedCameras: ReadonlySet<string>
  /** `plate` of `plate.recognized.v1` is clean from here on; default 0.9. */
  plateConfidence: number
}
