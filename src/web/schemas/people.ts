import type { ApprovalView, AuditView, HoldsView, NoticeView } from '../../engine/index.ts'
import { SCOPES } from '../access/index.ts'
import { ROLES } from '../access/permissions.ts'
import type { SessionView } from '../access/sessions.ts'
import type { TokenView } from '../access/tokens.ts'
import type { UserView } from '../access/users.ts'
import {
  anything,
  list,
  number,
  object,
  optional,
  orNull,
  text,
  time,
  truth,
  view,
  whole,
  word,
} from './form.ts'
import { WORKFLOW_REF } from './workflow.ts'

const QUESTION_STATUS = word('open', 'answered', 'expired', 'stopped')
const PART = object({ text, by_ai: truth })
const EFFECT = view<ApprovalView['replies'][number]['effects'][number]>('Effect')({
  path: text,
  effect: word('tell', 'move'),
  action: text,
  target: text,
  detail: orNull(text),
  certain: optional(truth),
})
const REPLY_OFFERED = object({
  reply: text,
  default: truth,
  effects: list(EFFECT),
})

export const APPROVAL = view<ApprovalView>('Question')({
  id: whole,
  run: whole,
  step: whole,
  workflow: WORKFLOW_REF,
  camera: orNull(text),
  camera_name: orNull(text),
  who: list(text),
  message: text,
  parts: list(PART),
  by_ai: truth,
  replies: list(REPLY_OFFERED),
  pictures: list(whole),
  stands_still: orNull(text),
  status: QUESTION_STATUS,
  answer: orNull(text),
  answered_by: orNull(text),
  identified_by: orNull(text),
  seen_again: whole,
  asked_at: time,
  deadline: time,
  left_ms: orNull(number),
  decided_at: orNull(time),
})

export const NOTICE = view<NoticeView>('Notice')({
  id: whole,
  run: orNull(whole),
  step: orNull(whole),
  workflow: orNull(object({ id: whole, slug: text, name: text, version: whole })),
  kind: word('alert', 'notify'),
  severity: word('low', 'medium', 'high', 'critical'),
  title: text,
  body: text,
  audience: orNull(text),
  camera_id: orNull(text),
  media: orNull(whole),
  clip: orNull(whole),
  chain: list(text),
  correlation_id: orNull(text),
  unsettled: truth,
  over: truth,
  at: time,
})

const SNOOZE = object({ kind: word('workflow', 'camera'), target: text, until: time, by: text, since: time })

export const SNOOZES = object({ snoozes: list(SNOOZE) })

export const HOLDS = view<HoldsView>('Holds')({
  paused: truth,
  by: orNull(text),
  since: orNull(time),
  held: list(
    view<HoldsView['held'][number]>('HeldMove')({
      run: whole,
      step: whole,
      workflow: WORKFLOW_REF,
      kind: text,
      inputs: anything,
      since: time,
      until: time,
    }),
  ),
  snoozes: list(SNOOZE),
})

export const AUDIT = view<AuditView>('AuditEntry')({
  id: whole,
  at: time,
  by: text,
  action: text,
  target: text,
})

export const SESSION = object({
  claimed: truth,
  by: word('nobody', 'loopback', 'session', 'token', 'console'),
  name: text,
  user: optional(orNull(whole)),
  may: list(text),
  cameras: orNull(list(text)),
})

export const SIGNED_IN = view<SessionView>('Session')({
  id: whole,
  device: orNull(text),
  this: truth,
  since: time,
  seen_at: time,
})

export const USER = view<UserView>('User')({
  id: whole,
  name: text,
  role: word(...ROLES),
  cameras: orNull(list(text)),
  created_at: time,
  locked_until: orNull(time),
  sessions: whole,
  tokens: whole,
})

const scopes = list(word(...SCOPES))
const tokenMembers = {
  id: whole,
  user: text,
  name: text,
  scopes,
  created_at: time,
  used_at: orNull(time),
  expires_at: orNull(time),
}

export const TOKENS = object({ tokens: list(view<TokenView>('Token')(tokenMembers)), scopes })

/** With the secret itself, this once. */
export const NEW_TOKEN = view<TokenView & { token: string }>('NewToken')({ ...tokenMembers, token: text })

/** A question, as whoever has a link to it sees it. */
export const LINKED_QUESTION = object({
  workflow: text,
  camera: orNull(text),
  message: text,
  parts: list(PART),
  replies: list(REPLY_OFFERED),
  status: QUESTION_STATUS,
  answer: orNull(text),
  answered_by: orNull(text),
  deadline: time,
  you: text,
})

/** What was answered by a link. */
export const ANSWERED = object({ status: QUESTION_STATUS, answer: orNull(text), answered_by: orNull(text) })
