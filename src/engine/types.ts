import type { Problem } from '../contract/index.ts'
import type { IncomingEvent, JsonValue } from '../core/index.ts'
import type { JsonObject, RunStatus, StepStatus } from '../store/index.ts'

export interface ToolCallView {
  id: number
  kind: 'model' | 'tool'
  name: string
  args_asked: JsonValue
  result: JsonValue
  status: 'ok' | 'failed' | 'refused' | 'suspended'
  mode: string | null
  started_at: string
  ms: number
  tokens_in: number | null
  tokens_out: number | null
}

export interface StepView {
  seq: number
  path: string
  kind: string
  name: string | null
  outcome: string | null
  status: StepStatus
  inputs: JsonValue
  result: JsonValue
  fields: JsonObject | null
  reason: string | null
  confidence: number | null
  confidence_source: string | null
  self_reported: number | null
  unsure_reason: string | null
  rule: number | null
  model: string | null
  /** What was seen, per judged picture: media id, size, boxes and text lines. */
  evidence: { media: number | null; seen: JsonValue }[]
  started_at: string
  ms: number | null
  usage: JsonValue
  tool_calls: ToolCallView[]
}

/** A run as `GET runs/{id}`, `gatehouse run --json` and the stream show it. Times ISO 8601 UTC, durations ms. */
export interface RunView {
  id: number
  workflow: { id: number; slug: string; name: string }
  version: number
  state: 'test' | 'on'
  status: RunStatus
  trigger: { kind: string; event: JsonObject }
  started_at: string
  ended_at: string | null
  values: JsonObject
  chain: string[]
  seen_again: number
  error: string | null
  pictures: { media: number; step: number | null; type: string; taken_at: string | null; source: string }[]
  steps: StepView[]
}

/** A line of the list of runs. */
export interface RunSummary {
  id: number
  workflow: { id: number; slug: string; name: string }
  state: 'test' | 'on'
  status: RunStatus
  camera: string | null
  /** The last decision or outcome, and its reason. */
  decision: string | null
  reason: string | null
  picture: number | null
  started_at: string
  ended_at: string | null
}

export interface WorkflowView {
  id: number
  slug: string
  name: string
  description: string | null
  state: 'off' | 'test' | 'on'
  /** Why it stands still, or null. */
  needs_attention: string | null
  version: number
  trigger: string
  /** `/api/v1/hooks/<id>` where the trigger is a webhook. */
  hook: string | null
  /** When its schedule starts it next, ISO 8601 UTC; null where it has none, or stands still. */
  next_run: string | null
  last_run: RunSummary | null
}

/** What became of an event at one workflow. */
export interface Admission {
  workflow: string
  /** Null where a guard or a limit kept it out. */
  run: number | null
  reason: { code: RefusalCode; message: string } | null
}

/** Why no run began. `no_match`: addressed to a workflow whose trigger it does not fit; `queued`: it waits its turn. */
export type RefusalCode =
  | 'no_match'
  | 'off'
  | 'needs_attention'
  | 'stale'
  | 'seen'
  | 'chain'
  | 'own_alert'
  | 'guard'
  | 'busy'
  | 'cooldown'
  | 'per_hour'
  | 'queue_full'
  | 'queued'

export type Saved =
  | { ok: true; workflow: WorkflowView; problems: Problem[] }
  | { ok: false; problems: Problem[] }

/** What the floors above may ask of the engine. */
export interface EngineApi {
  /** Offers an event to every workflow that its trigger fits (or to the one it is addressed to). */
  submit(event: IncomingEvent): Promise<Admission[]>
  workflows(): WorkflowView[]
  workflow(idOrSlug: string): WorkflowView | null
  workflowYaml(id: number): string | null
  /** The workflow whose webhook bears this secret id. */
  byHook(hookId: string): WorkflowView | null
  /** Checks and stores a file: a new workflow, or a new version of `id`. Nothing is stored when it has errors. */
  save(yaml: string, options?: { id?: number; file?: string }): Promise<Saved>
  setState(id: number, state: 'off' | 'test' | 'on'): Promise<WorkflowView>
  runs(filter: { workflowId?: number; before?: number; limit: number }): RunSummary[]
  run(id: number): RunView | null
  /** Resolves when the run has ended or waits for longer than `ms`. */
  settled(id: number, ms: number): Promise<RunView>
  stopRun(id: number): Promise<RunView>
  /** A person says whether an `unknown` move happened. */
  settle(id: number, happened: boolean, by: string): Promise<RunView>
  /** What was shed since the start, by reason. */
  shed(): Record<string, number>
}

/** An alert or notification, as it goes out to channels. */
export interface NoticeView {
  id: number
  /** Null where the box itself has something to say, apart from any run. */
  run: number | null
  step: number | null
  workflow: { id: number; slug: string; version: number } | null
  kind: 'alert' | 'notify'
  severity: string
  title: string
  body: string
  audience: string | null
  camera_id: string | null
  media: number | null
  chain: string[]
  correlation_id: string | null
  at: string
}

/** Topics of the bus that the engine publishes on. */
export interface EngineTopics {
  run: RunSummary
  step: { run: number; seq: number }
  workflow: WorkflowView
  notice: NoticeView
}
