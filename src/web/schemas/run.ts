import type {
  Admission,
  CasesOutcome,
  CaseTried,
  CaseView,
  MarkView,
  OwnOutcome,
  RepliesView,
  ReplyView,
  RunView,
  StepView,
  Switched,
  TemplateOutcome,
  TemplateTried,
  ToolCallView,
  Tried,
  TriedEvent,
} from '../../engine/index.ts'
import {
  anything,
  list,
  loose,
  number,
  object,
  optional,
  orNull,
  share,
  text,
  time,
  truth,
  view,
  whole,
  word,
} from './form.ts'
import { RUN_STATUS, WORKFLOW_REF, workflowMembers } from './workflow.ts'

const STEP_STATUS = word('running', 'done', 'would_have', 'failed', 'unknown', 'waiting', 'held')

const TOOL_CALL = view<ToolCallView>('ToolCall')({
  id: whole,
  kind: word('model', 'tool'),
  name: text,
  args_asked: anything,
  result: anything,
  status: word('ok', 'failed', 'refused', 'suspended'),
  mode: orNull(text),
  started_at: time,
  ms: number,
  tokens_in: orNull(whole),
  tokens_out: orNull(whole),
})

const STEP = view<StepView>('Step')({
  seq: whole,
  path: text,
  kind: text,
  name: orNull(text),
  item: orNull(text),
  outcome: orNull(text),
  status: STEP_STATUS,
  inputs: anything,
  result: anything,
  fields: orNull(loose),
  reason: orNull(text),
  confidence: orNull(share),
  confidence_source: orNull(text),
  self_reported: orNull(number),
  unsure_reason: orNull(text),
  rule: orNull(whole),
  model: orNull(text),
  evidence: list(object({ media: orNull(whole), seen: anything })),
  started_at: time,
  ms: orNull(number),
  usage: anything,
  tool_calls: list(TOOL_CALL),
})

const MARK = view<MarkView>('Mark')({ by: text, right: truth, note: orNull(text), at: time })

const pictured = { media: whole, step: orNull(whole), type: text, taken_at: orNull(time), source: text }

export const RUN = view<RunView>('Run')({
  id: whole,
  workflow: WORKFLOW_REF,
  version: whole,
  versions: object({ workflow: whole, site: whole }),
  marks: list(MARK),
  state: word('test', 'on'),
  status: RUN_STATUS,
  stopping: truth,
  trigger: object({ kind: text, event: loose }),
  started_at: time,
  ended_at: orNull(time),
  values: loose,
  chain: list(text),
  seen_again: whole,
  error: orNull(text),
  note: orNull(text),
  pictures: list(view<RunView['pictures'][number]>('Media')(pictured)),
  clips: list(view<RunView['clips'][number]>('Clip')({ ...pictured, bytes: whole })),
  steps: list(STEP),
})

/** Why no run began. */
const KEPT_OUT = object({ code: text, message: text })

export const STARTED = object({ run: orNull(whole), reason: orNull(KEPT_OUT), note: optional(text) })

export const WRITTEN_TO = object({ run: orNull(whole), reason: orNull(KEPT_OUT), reply: orNull(text) })

export const TAKEN = object({
  event: text,
  admissions: list(
    view<Admission>('Admission')({
      workflow: text,
      run: orNull(whole),
      reason: orNull(KEPT_OUT),
      note: optional(text),
    }),
  ),
  message: optional(text),
})

const REPLY = view<ReplyView>('Reply')({ seq: whole, text, at: time })

export const REPLIES = view<RepliesView>('Replies')({
  run: whole,
  status: RUN_STATUS,
  ended: truth,
  replies: list(REPLY),
  would_have: list(REPLY),
  note: orNull(text),
})

const TRIED = view<Tried>('Tried')({
  run: orNull(whole),
  version: orNull(whole),
  status: RUN_STATUS,
  decision: orNull(text),
  reason: orNull(text),
  confidence: orNull(share),
  asks: orNull(object({ who: list(text), message: text })),
  did: text,
  effects: list(object({ path: text, kind: text, status: STEP_STATUS, inputs: anything })),
})

const triedMembers = {
  event: object({ id: text, kind: text, at: time, camera: orNull(text), run: whole, picture: orNull(whole) }),
  then: orNull(TRIED),
  now: orNull(TRIED),
  kept_out: orNull(KEPT_OUT),
  flipped: orNull(truth),
}

export const TRY = object({
  tried: list(view<TriedEvent>('TriedEvent')(triedMembers)),
  flipped: whole,
  note: orNull(text),
})

const TEMPLATE_TRIED = view<TemplateTried>('TemplateTried')({
  case: text,
  expected: text,
  decision: orNull(text),
  reason: orNull(text),
  kept_out: orNull(KEPT_OUT),
  flipped: orNull(truth),
})

export const CASE = view<CaseView>('Case')({
  id: whole,
  run: orNull(whole),
  at: time,
  camera: orNull(text),
  expected: text,
  options: list(text),
  note: orNull(text),
  by: text,
  added_at: time,
  pictures: whole,
  last: orNull(
    object({ decision: orNull(text), reason: orNull(text), right: truth, version: orNull(whole), at: time }),
  ),
})

const OWN = view<OwnOutcome>('OwnCases')({
  tried: list(
    view<CaseTried>('CaseTried')({
      ...{ id: whole, run: orNull(whole), camera: orNull(text), at: time, right: orNull(truth) },
      ...{ case: text, expected: text, decision: orNull(text), reason: orNull(text) },
      ...{ kept_out: orNull(KEPT_OUT), flipped: orNull(truth) },
    }),
  ),
  flipped: whole,
})

export const CASES = view<CasesOutcome>('Cases')({
  tried: list(
    view<CasesOutcome['tried'][number]>('MarkedCase')({ ...triedMembers, marked: word('right', 'wrong') }),
  ),
  worse: whole,
  better: whole,
  template: optional(
    view<TemplateOutcome>('TemplateCases')({ name: text, tried: list(TEMPLATE_TRIED), flipped: whole }),
  ),
  own: optional(OWN),
})

/** A workflow that was switched; what came of its cases where it had any. */
export const SWITCHED = view<Switched>('SwitchedWorkflow')({ ...workflowMembers, cases: optional(CASES) })
