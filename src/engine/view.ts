import { actionKind } from '../contract/index.ts'
import { GatehouseError, iso } from '../core/index.ts'
import type { JsonObject, MediaRow, RunRow, StepRow, Store, ToolCallRow } from '../store/index.ts'
import { isObject } from './json.ts'
import { accuracyOf, markViews } from './learn/accuracy.ts'
import { judgesOf } from './learn/judge.ts'
import { looksAtPicture } from './look-needs.ts'
import { lostIn, withLost } from './lost.ts'
import { givenBy } from './run.ts'
import type { RunSummary, RunView, StepView, ToolCallView, WorkflowRef, WorkflowView } from './types.ts'
import { workflowRef } from './workflow-ref.ts'
import type { Loaded } from './workflows.ts'

/** Kinds that may call models. */
const MODELLED: ReadonlySet<string> = new Set(['ai', 'if', 'wait_for'])

/** Steps that failed, among which a list looks for a message that was lost. */
const FAILED_READ = 20

/** A run with everything that is known of it. */
export function runView(row: RunRow, store: Store): RunView {
  const steps = store.steps.ofRun(row.id)
  const number = store.versions.get(row.versionId)?.number ?? 0
  return {
    id: row.id,
    workflow: workflowOf(row, store),
    version: number,
    versions: { workflow: number, site: row.siteVersion },
    marks: markViews(store.marks.ofRun(row.id)),
    state: row.state,
    status: row.status,
    stopping: row.stopAt !== null,
    trigger: { kind: row.triggerKind, event: row.event },
    started_at: iso(row.startedAt),
    ended_at: row.endedAt === null ? null : iso(row.endedAt),
    values: valuesOf(row, steps),
    chain: row.chain,
    seen_again: row.seenAgain,
    error: row.error,
    note: row.event.camera_known === false ? `The site had no camera “${row.cameraId}” then.` : null,
    pictures: store.media.ofRun(row.id).map(media => mediaView(media, steps)),
    clips: store.media.clipsOf(row.id).map(media => ({ ...mediaView(media, steps), bytes: media.bytes })),
    steps: steps.map(step => stepView(step, store)),
  }
}

function mediaView({ id, stepId, type, takenAt, source }: MediaRow, steps: readonly StepRow[]) {
  return {
    media: id,
    step: steps.find(step => step.id === stepId)?.seq ?? null,
    type,
    taken_at: takenAt === null ? null : iso(takenAt),
    source,
  }
}

/** A run in one line of a list. */
export function runSummary(row: RunRow, store: Store): RunSummary {
  // A list reads few rows of each run, however many it has.
  const judged = store.steps.lastJudged(row.id)
  const reason = typeof judged?.ai?.reason === 'string' ? judged.ai.reason : row.error
  const lost = store.steps.lastFailed(row.id, FAILED_READ).find(step => lostIn(step.kind, step) !== null)
  return {
    id: row.id,
    workflow: workflowOf(row, store),
    state: row.state,
    status: row.status,
    camera: row.cameraId,
    decision: judged?.outcome ?? null,
    reason: withLost(reason, lost ? lostIn(lost.kind, lost) : null),
    picture: store.media.shownOf(row.id),
    started_at: iso(row.startedAt),
    ended_at: row.endedAt === null ? null : iso(row.endedAt),
  }
}

/** A workflow as people see it. `nextRun`, `snoozed`: epoch ms, or null. */
export function workflowView(
  { row, number, program }: Loaded,
  store: Store,
  { nextRun, snoozed }: { nextRun: number | null; snoozed: number | null },
): WorkflowView {
  const [last] = store.runs.list({ workflowId: row.id, limit: 1 })
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: program?.workflow.description ?? null,
    state: row.state,
    needs_attention: row.attention,
    snoozed_until: snoozed === null ? null : iso(snoozed),
    version: number,
    removed: row.removedAt !== null,
    trigger: program?.workflow.when.kind ?? 'unknown',
    label: labelOf(program?.workflow.when.params.label),
    wants_picture: program !== null && looksAtPicture(program.workflow),
    hook:
      program?.workflow.when.kind === 'webhook' && row.hookId !== null ? `/api/v1/hooks/${row.hookId}` : null,
    next_run: nextRun === null ? null : iso(nextRun),
    last_run: last ? runSummary(last, store) : null,
    accuracy: program ? accuracyOf(row.id, judgesOf(program.workflow), store) : [],
  }
}

function labelOf(label: unknown): string | null {
  return typeof label === 'string' && label.trim() !== '' ? label : null
}

/** Throws `run_unknown`. */
export function knownRun(id: number, store: Store): RunRow {
  const row = store.runs.get(id)
  if (!row) throw new GatehouseError('run_unknown', `There is no run ${id}.`, { status: 404 })
  return row
}

function workflowOf({ workflowId }: RunRow, store: Store): WorkflowRef {
  return workflowRef(workflowId, store.workflows.get(workflowId))
}

/** The trigger's values and, over them, what the steps gave. */
function valuesOf({ values }: RunRow, steps: StepRow[]): JsonObject {
  return Object.assign({}, values, ...steps.map(step => givenBy(step.kind, step.inputs, step)))
}

function stepView(row: StepRow, store: Store): StepView {
  const ai = row.ai ?? {}
  const text = (name: string) => (typeof ai[name] === 'string' ? ai[name] : null)
  const number = (name: string) => (typeof ai[name] === 'number' ? ai[name] : null)
  return {
    seq: row.seq,
    path: row.path,
    kind: row.kind,
    name: row.name,
    item: row.item,
    outcome: row.outcome,
    status: row.status === 'waiting' && actionKind(row.kind) ? 'held' : row.status,
    inputs: row.inputs,
    result: row.result,
    fields: isObject(ai.fields) ? ai.fields : null,
    reason: text('reason'),
    confidence: number('confidence'),
    confidence_source: text('confidence_source'),
    self_reported: number('self_reported'),
    unsure_reason: text('unsure_reason'),
    rule: number('rule'),
    model: text('model'),
    evidence: Array.isArray(ai.evidence) ? (ai.evidence as StepView['evidence']) : [],
    started_at: iso(row.startedAt),
    ms: row.endedAt === null ? null : row.endedAt - row.startedAt,
    usage: ai.usage ?? null,
    tool_calls: MODELLED.has(row.kind) ? store.toolCalls.ofStep(row.id).map(toolCallView) : [],
  }
}

function toolCallView(row: ToolCallRow): ToolCallView {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    args_asked: row.argsAsked,
    result: row.result,
    status: row.status,
    mode: row.mode,
    started_at: iso(row.startedAt),
    ms: row.ms,
    tokens_in: row.tokensIn,
    tokens_out: row.tokensOut,
  }
}
