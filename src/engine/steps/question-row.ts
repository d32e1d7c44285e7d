import type { Suspended } from '../../ai/index.ts'
import { approvalView } from '../approval-view.ts'
import { identityOf } from '../identity.ts'
import type { EngineDeps } from '../ports.ts'
import type { Run } from '../run.ts'

/** Questions that are open on one box; what is asked beyond that is answered by nobody. */
export const MOST_OPEN = 500
/** How long an investigation waits for an answer. */
const ASK_MS = 5 * 60_000

/** A question as it is asked: until when, and what writes and tells it. */
export interface Asking {
  until: number
  also(stepId: number): void
  told(stepId: number): void
}

/** Whether no more questions may be asked now, which is counted. */
export function isFull({ store, onShed }: EngineDeps): boolean {
  if (store.approvals.countOpen() < MOST_OPEN) return false
  onShed?.('questions_full')
  return true
}

/** What a model asks people: marked as its words, with replies that move nothing. */
export function asking(
  run: Run,
  { message, replies, role }: Suspended['suspended'],
  deps: EngineDeps,
): Asking {
  const { store, clock } = deps
  const askedAt = clock.now()
  const until = askedAt + ASK_MS
  const trigger = (name: string) => run.values[`trigger.${name}`]
  const row = {
    runId: run.id,
    who: role === null ? [] : [`role:${role}`],
    message,
    parts: [{ text: message, by_ai: true }],
    replies: replies.map(reply => ({ reply, effects: [] })),
    defaultReply: null,
    identity: identityOf(run.program.identities, run.facts.cameraId, trigger),
    askedAt,
    deadline: until,
  }
  return {
    until,
    also: stepId => {
      store.approvals.ask({ ...row, stepId, media: run.lastMedia === null ? [] : [run.lastMedia] })
    },
    told: stepId => publishQuestion(stepId, deps),
  }
}

/** Tells the bus how the question of a step stands. */
export function publishQuestion(stepId: number, { store, bus, clock, site }: EngineDeps): void {
  const row = store.approvals.ofStep(stepId)
  if (row) bus.publish('approval', approvalView(row, store, site(), clock.now()))
}
