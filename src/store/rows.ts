/**
 * The rows of the database as the floors above see them. Columns are the snake_case of these names. Times are
 * epoch ms. JSON columns hold text; the tables parse it on the way out.
 */
import type { JsonValue } from '../core/index.ts'

/** How a run stands; `unknown`: a move of it may have happened. */
export type RunStatus = 'running' | 'waiting' | 'done' | 'failed' | 'unknown' | 'stopped'
/** How a step stands; `would_have`: the workflow is in Test. */
export type StepStatus = 'running' | 'done' | 'would_have' | 'failed' | 'unknown' | 'waiting'
/** An object of JSON values. */
export type JsonObject = { [key: string]: JsonValue }

/** A workflow: what its owner set, and which version is in force. */
export interface WorkflowRow {
  id: number
  /** Out of the name: `[a-z0-9-]+`, unique on this box. */
  slug: string
  name: string
  /** What the owner set; Needs attention lies over it and leaves it as it is. */
  state: 'off' | 'test' | 'on'
  /** Why the workflow needs attention, or null. */
  attention: string | null
  /** What stands in its way: the site or this version, or that nothing can look at pictures. */
  attentionOf: 'site' | 'eyes' | 'language' | 'vision' | null
  /** Row id of the version in force. */
  versionId: number
  /** Secret id of its webhook, minted where the trigger is one. */
  hookId: string | null
  createdAt: number
  updatedAt: number
  /** When it was removed: in no list since, there for its runs only. */
  removedAt: number | null
  /** The user who answers for the version in force: it may see no more than they do. Null: nobody who is bound. */
  savedBy?: number | null
}

/** A file of a workflow as it was saved. */
export interface VersionRow {
  id: number
  workflowId: number
  /** 1, 2, 3 … within the workflow. */
  number: number
  yaml: string
  createdAt: number
  /** Who saved it, where that is known. */
  author: string | null
  /** What changed against the version before, in one line. */
  change: string | null
  /** It was in force while the workflow was On. */
  wasOn: boolean
}

/** A run of one version for one event. */
export interface RunRow {
  id: number
  workflowId: number
  versionId: number
  /** Frozen at admission. */
  state: 'test' | 'on'
  status: RunStatus
  triggerKind: string
  /** The event as it came, without pictures. */
  event: JsonObject
  cameraId: string | null
  /** Values that the trigger gave. */
  values: JsonObject
  chain: string[]
  correlationId: string | null
  seenAgain: number
  /** Names of the trigger's values that may guard no move in this run; `*`: none of them may. */
  taint: string[]
  /** How far behind its time the run was when it went on after a restart or a late wait, ms. */
  lateMs: number
  /** Version of the site's rules at its admission; 0: none was kept yet. */
  siteVersion: number
  /** Places of the workflow whose actions were moves at its admission. */
  moves: readonly string[]
  /** When a stop was asked for that has not taken effect yet; null: none was. */
  stopAt: number | null
  /** What went wrong, for a failed run. */
  error: string | null
  startedAt: number
  endedAt: number | null
  /** What it keeps as JSON cannot all be read: what is missing is as if it had been empty. */
  broken?: true
}

/** A step of a run; its id is run id × 65536 + seq. */
export interface StepRow {
  id: number
  runId: number
  /** 0, 1, 2 … in the order in which the steps began. */
  seq: number
  /** `then[0].delivery[1]` */
  path: string
  kind: string
  name: string | null
  /** Of which item of the loops around it, `yard / B-AB 123`; null outside of loops. */
  item: string | null
  status: StepStatus
  outcome: string | null
  inputs: JsonValue
  /** What the step gave: for actions the receipt, for `ai` nothing (see `ai`). */
  result: JsonValue
  /** Only for `ai` steps: fields, reason, confidence and what else a decision has. */
  ai: JsonObject | null
  startedAt: number
  endedAt: number | null
  /** What it keeps as JSON cannot all be read: what is missing is null. */
  broken?: true
}

/** A call of a model or a tool by an AI step. */
export interface ToolCallRow {
  id: number
  stepId: number
  kind: 'model' | 'tool'
  name: string
  argsAsked: JsonValue
  result: JsonValue
  status: 'ok' | 'failed' | 'refused' | 'suspended'
  mode: string | null
  startedAt: number
  ms: number
  tokensIn: number | null
  tokensOut: number | null
}

/** A move, from before it is tried: `intended` at a restart means nobody knows whether it happened. */
export interface IntentRow {
  id: number
  runId: number
  stepId: number
  kind: string
  params: JsonValue
  status: 'intended' | 'done' | 'failed' | 'unknown' | 'settled'
  createdAt: number
  endedAt: number | null
}

/** A promise with a time: nothing waits in memory only. */
export interface DueRow {
  id: number
  at: number
  kind: string
  runId: number | null
  stepId: number | null
  payload: JsonValue
}

/** An event that arrived. */
export interface EventRow {
  id: number
  /** The source's id: one row per id, so that a repeat is seen. */
  eventId: string
  kind: string
  schema: string | null
  cameraId: string | null
  /** When it was observed, as its source says. */
  at: number
  /** When it arrived here. */
  receivedAt: number
  payload: JsonValue
}

/** A picture on disk; the file's name is its content hash. */
export interface MediaRow {
  id: number
  runId: number
  /** The step that judged it; null for a picture that came with the event. */
  stepId: number | null
  /** SHA-256, hex. */
  hash: string
  type: string
  bytes: number
  source: string
  takenAt: number | null
  createdAt: number
}

/** What people are told: an alert or a notification. */
export interface NoticeRow {
  id: number
  /** Null where the box itself has something to say, apart from any run. */
  runId: number | null
  stepId: number | null
  kind: 'alert' | 'notify'
  severity: string
  title: string
  body: string
  /** Whom it is for: `role:guard`; null for all. */
  audience: string | null
  cameraId: string | null
  /** Media row of the attached picture. */
  mediaId: number | null
  createdAt: number
  /** The workflow that stands still, where it is about that. */
  about?: number | null
  /** Since when that is over. */
  overAt?: number | null
}

/** What a person said of a run. */
export interface MarkRow {
  id: number
  runId: number
  /** Who said it. */
  author: string
  correct: boolean
  note: string | null
  at: number
  /** When the same person said something else; null: this counts. */
  replacedAt: number | null
}

/** What the marks of a run come to for one AI step of it. */
export interface JudgedRow {
  stepId: number
  workflowId: number
  versionId: number
  /** Fingerprint of all that decides in the step: the same over versions that left it alone. */
  judge: string
  path: string
  confidence: number | null
  correct: boolean
  startedAt: number
}

/** A version of the site's rules. */
export interface SiteRulesRow {
  version: number
  /** Over the rules in force, the site file's share included. */
  hash: string
  /** What was set on this box, as JSON; null where the text is no longer kept. */
  rules: string | null
  /** The facts in force. */
  facts: string | null
  author: string
  /** In one line. */
  change: string
  at: number
}

/** Who did what to what; `before` and `after` are hashes. */
export interface AuditRow {
  id: number
  at: number
  author: string
  action: string
  target: string
  before: string | null
  after: string | null
}

/** What a step in the path of a reply does outside of the box, as it was stated beside the reply. */
export interface ApprovalEffect {
  /** Where the step stands: a reply covers only what stood beside it. */
  path: string
  effect: 'tell' | 'move'
  /** Kind of the action: `webhook`. */
  action: string
  /** What it is done to: a destination, a mode, an app's action. */
  target: string
  /** What is sent, in one line; null where nothing more is to say. */
  detail: string | null
  /** False where a step between them may lead around it. */
  certain: boolean
}

/** A reply that people may give, with what stands in its path. */
export interface ApprovalReply {
  reply: string
  effects: ApprovalEffect[]
}

/** A question to people. */
export interface ApprovalRow {
  id: number
  runId: number
  stepId: number
  who: string[]
  message: string
  /** The message in pieces: what AI or an outsider may have written is marked. */
  parts: { text: string; by_ai: boolean }[]
  replies: ApprovalReply[]
  defaultReply: string | null
  /** Camera, plate, presser of the trigger: a repeat joins only with the same. */
  identity: string
  /** Media rows of the pictures that are shown with it. */
  media: number[]
  status: 'open' | 'answered' | 'expired' | 'stopped'
  answer: string | null
  answeredBy: string | null
  /** How they were identified: `session`, `token`, `loopback` … */
  identifiedBy: string | null
  seenAgain: number
  askedAt: number
  deadline: number
  decidedAt: number | null
}

/** A workflow (by row id) or camera that starts nothing until then. */
export interface SnoozeRow {
  kind: 'workflow' | 'camera'
  target: string
  until: number
  by: string
  at: number
}
