import type { Json, TriggerKind } from '../contract/index.ts'
import type { JsonValue } from '../core/index.ts'
import type { ApprovalReply, ApprovalRow, JsonObject, RunStatus, StepStatus } from '../store/index.ts'
import type { Suggestion } from './learn/suggest.ts'
import type { MediaView } from './media-view.ts'
import type { CasesOutcome } from './types-tried.ts'

export type { Admission, RefusalCode } from './admission.ts'
export type * from './types-cases.ts'
export type * from './types-tried.ts'

/** A workflow, as it is named beside what belongs to it. */
export interface WorkflowRef {
  id: number
  slug: string
  name: string
}

/** A call of a model or a tool: what was asked, and what came of it. */
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

/** A step of a run with all that is known of it. */
export interface StepView {
  seq: number
  path: string
  kind: string
  name: string | null
  /** Of which item of the loops around it, `yard / B-AB 123`; null outside of loops. */
  item: string | null
  outcome: string | null
  /** `held`: a move that waits for a person because moves are paused. */
  status: StepStatus | 'held'
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
  workflow: WorkflowRef
  version: number
  /** What decided it: versions of the workflow and of the site's rules (0: none was kept). */
  versions: { workflow: number; site: number }
  /** What people say of it, one word each. */
  marks: MarkView[]
  state: 'test' | 'on'
  status: RunStatus
  /** A stop was asked for, and takes effect behind the step that is going on. */
  stopping: boolean
  trigger: { kind: string; event: JsonObject }
  started_at: string
  ended_at: string | null
  values: JsonObject
  chain: string[]
  seen_again: number
  error: string | null
  /** What is odd about its event, though it counted. */
  note: string | null
  pictures: MediaView[]
  /** What was recorded for it. */
  clips: (MediaView & { bytes: number })[]
  steps: StepView[]
}

/** A line of the list of runs. */
export interface RunSummary {
  id: number
  workflow: WorkflowRef
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

/** A workflow as it stands. */
export interface WorkflowView {
  id: number
  slug: string
  name: string
  description: string | null
  state: 'off' | 'test' | 'on'
  /** Why it stands still, or null. */
  needs_attention: string | null
  snoozed_until: string | null
  version: number
  /** Taken away: told once, so that lists can drop it. */
  removed: boolean
  trigger: string
  /** What its button, webhook or message box says, in the author's words. */
  label: string | null
  /** Whether a step looks at the picture that the event brings. */
  wants_picture: boolean
  /** `/api/v1/hooks/<id>` where the trigger is a webhook. */
  hook: string | null
  /** When its schedule starts it next, ISO 8601 UTC; null where it has none, or stands still. */
  next_run: string | null
  last_run: RunSummary | null
  /** What was marked of its AI steps, in the order of the file. */
  accuracy: StepAccuracy[]
}

/** What a person says of a run. */
export interface MarkView {
  by: string
  right: boolean
  note: string | null
  at: string
}

/** Marked decisions, the share that was right, and its interval (Wilson, 95 %); shares are null without marks. */
export interface Accuracy {
  path: string
  marks: number
  right: number
  share: number | null
  low: number | null
  high: number | null
}

/** Of one AI step, over all versions of the file that left alone what decides in it. */
export interface StepAccuracy extends Accuracy {
  name: string | null
}

/** What a workflow that is On or in Test listens for, for whoever brings events to the box. */
export interface ListensFor {
  workflow: WorkflowRef
  kind: TriggerKind
  /** Of its trigger, as its file says. */
  params: { readonly [key: string]: Json }
  /** Schemas of events that its steps go over later; `*`: all. */
  looks_back: readonly string[]
}

/** A version of a workflow. */
export interface VersionView {
  number: number
  at: string
  by: string | null
  /** In one line. */
  change: string | null
  in_force: boolean
  /** Of this version alone, by AI step. */
  accuracy: Accuracy[]
}

/** What the AI steps of a workflow have shown, and what that allows. */
export interface WorkflowTrust {
  /** What it takes for alerts above `medium`: `20 of 20 right, or 37 of 40`. */
  above_medium: string
  steps: (StepAccuracy & {
    alerts: { most: 'medium' | 'high'; why: string | null }
    /** A threshold that the marks speak for; offered, never applied. */
    suggested: Suggestion | null
  })[]
}

/** A question to people. Times ISO 8601 UTC. */
export interface ApprovalView {
  id: number
  run: number
  /** Number of the step that asks. */
  step: number
  workflow: WorkflowRef
  camera: string | null
  camera_name: string | null
  who: string[]
  message: string
  /** The message in pieces: what AI or an outsider may have written is marked. */
  parts: { text: string; by_ai: boolean }[]
  by_ai: boolean
  /** Each with what it sets going, as the engine found it in the file. */
  replies: (ApprovalReply & { default: boolean })[]
  /** Media ids. */
  pictures: number[]
  /** Why whatever is answered moves nothing now, while it is open: its workflow stands still, or is not On any more. */
  stands_still: string | null
  status: ApprovalRow['status']
  answer: string | null
  /** Null where nobody answered. */
  answered_by: string | null
  identified_by: string | null
  seen_again: number
  asked_at: string
  deadline: string
  /** What is left of the time to answer when this was said; null: it is decided. */
  left_ms: number | null
  decided_at: string | null
}

/** What was answered to a message so far, in order. */
export interface RepliesView {
  run: number
  status: RunStatus
  /** Nothing follows behind the last one here. */
  ended: boolean
  replies: ReplyView[]
  /** In Test, where nothing is sent: what would have been answered. */
  would_have: ReplyView[]
  /** What there is to say where nothing was answered, or is sent; null: nothing. */
  note: string | null
}

/** One answer. `seq`: where to go on behind it. */
export interface ReplyView {
  seq: number
  text: string
  at: string
}

/** A workflow that was switched, and what came of its cases where it had any. */
export interface Switched extends WorkflowView {
  cases?: CasesOutcome
}

/** What holds back: moves, all of them, and what is snoozed. Times ISO 8601 UTC. */
export interface HoldsView {
  /** Moves wait until a person says what becomes of each, or until this ends. */
  paused: boolean
  by: string | null
  since: string | null
  /** Moves that nobody has decided about. */
  held: {
    run: number
    step: number
    workflow: WorkflowRef
    kind: string
    inputs: JsonValue
    since: string
    /** When it expires. */
    until: string
  }[]
  /** `target`: a workflow's row id or a camera's id. */
  snoozes: { kind: 'workflow' | 'camera'; target: string; until: string; by: string; since: string }[]
}

/** The room on the disk. */
export interface UpkeepView {
  /** Too little: no new work is taken until there is more. */
  low: boolean
  /** Null: not known. */
  free_bytes: number | null
  /** What runs and pictures took when that was last looked at. */
  stored_bytes: number | null
}

/** An alert or notification, as it goes out to channels. */
export interface NoticeView {
  id: number
  /** Null where the box itself has something to say, apart from any run. */
  run: number | null
  step: number | null
  /** `version`: the one that the run began with. */
  workflow: (WorkflowRef & { version: number }) | null
  kind: 'alert' | 'notify'
  severity: string
  title: string
  body: string
  audience: string | null
  camera_id: string | null
  media: number | null
  /** What was recorded for it, where it is to be attached. */
  clip: number | null
  chain: string[]
  correlation_id: string | null
  /** It is about a move of which nobody knows yet whether it happened: `settle` the run's step. */
  unsettled: boolean
  /** It said that a workflow stands still, and that is over. */
  over: boolean
  at: string
}

/** Who did what: saved or switched a workflow, answered, marked, held moves back, changed rules, signed in. */
export interface AuditView {
  id: number
  at: string
  by: string
  /** `workflow.on`, `run.stop`, `moves.pause` … */
  action: string
  /** `workflow gate`, `run 7` … */
  target: string
}

/** Topics of the bus that the engine publishes on. */
export interface EngineTopics {
  run: RunSummary
  step: { run: number; seq: number }
  workflow: WorkflowView
  notice: NoticeView
  /** A question was asked, joined or decided. */
  approval: ApprovalView
  holds: HoldsView
  /** Something was forgotten: what was published before may be of it. */
  forgotten: null
}
