import { parseDuration } from '../../contract/index.ts'
import type { JsonValue } from '../../core/index.ts'
import type { ApprovalRow } from '../../store/index.ts'
import { resultOf } from '../answered.ts'
import { identityOf } from '../identity.ts'
import { isObject } from '../json.ts'
import type { Node } from '../program.ts'
import { partsOf, picturesOf } from '../question.ts'
import type { Ended } from '../run.ts'
import { statedOf } from '../stated.ts'
import { isFull, MOST_OPEN, publishQuestion } from './question-row.ts'
import type { WaitingKind } from './waiting.ts'

interface Params {
  who: string | string[]
  message: string
  replies: string[]
  timeout: string
  default?: string
  attach?: string[]
}

/** Asks people and goes the way of the first answer; at its deadline that of nobody. */
export const askPerson: WaitingKind = {
  async park(run, node, deps) {
    const { store, clock } = deps
    const params = node.step.params as Params
    const inputs = node.render(run.values)
    const replies = params.replies.map(reply => ({ reply, effects: statedOf(run, node, reply, deps.site()) }))
    const who = isObject(inputs) ? [inputs.who ?? ''].flat().map(String) : []
    if (run.facts.state === 'test') {
      const asked = { would_ask: who, replies } as unknown as { [key: string]: JsonValue }
      return { inputs, ended: nobody(node, 'would_have', asked) }
    }
    if (isFull(deps)) {
      const message = `${MOST_OPEN} questions are open: this one was not asked.`
      return { inputs, ended: nobody(node, 'done', { code: 'questions_full', message }) }
    }
    const parts = partsOf(run, node, params.message, deps)
    const attach = await picturesOf(run, params.attach ?? [], deps)
    const askedAt = clock.now()
    const deadline = askedAt + (parseDuration(params.timeout) ?? 0)
    const trigger = (name: string) => run.values[`trigger.${name}`]
    const question = {
      who,
      message: parts.map(({ text }) => text).join(''),
      parts,
      replies,
      defaultReply: params.default ?? null,
      identity: identityOf(run.program.identities, run.facts.cameraId, trigger),
      askedAt,
      deadline,
    }
    return {
      waits: {
        inputs,
        until: deadline,
        payload: run.lateMs > 0 ? { late_ms: run.lateMs } : null,
        also: stepId => {
          store.approvals.ask({ ...question, runId: run.id, stepId, media: attach(stepId) })
        },
        told: stepId => publishQuestion(stepId, deps),
      },
    }
  },

  async wake({ node, step, due, now, deps }) {
    const { approvals } = deps.store
    const asked = approvals.ofStep(step.id)
    if (asked?.status === 'open') {
      // Answer, deadline and stop are one compare-and-set; what the row says afterwards is what happened.
      const answer = asked.defaultReply
      await deps.store.write(() => approvals.decide(asked.id, { status: 'expired', answer }, now))
      publishQuestion(step.id, deps)
    }
    const decided = approvals.ofStep(step.id)
    if (decided?.status !== 'answered') {
      return { ended: nobody(node, 'done', { ...(decided && { approval: decided.id }) }) }
    }
    const payload = due?.payload
    const lateMs = isObject(payload) && typeof payload.late_ms === 'number' ? payload.late_ms : 0
    return { ended: answeredEnd(decided, lateMs) }
  },

  stop({ id }, now, { store }) {
    const asked = store.approvals.ofStep(id)
    return !asked || store.approvals.decide(asked.id, { status: 'stopped' }, now)
  },

  stopped: ({ id }, deps) => publishQuestion(id, deps),
}

/** The default counts as the answer of nobody, then `no_answer` runs where it is there, else the default's path. */
function nobody(node: Node, status: Ended['status'], more: { [key: string]: JsonValue }): Ended {
  const { default: answer } = node.step.params as Params
  const outcome = answer === undefined || node.step.paths.no_answer ? 'no_answer' : answer
  return { status, outcome, result: { answer: answer ?? null, answered_by: '', ...more }, ai: null }
}

function answeredEnd(row: ApprovalRow, lateMs: number): Ended {
  const { answer, answeredBy, identifiedBy, decidedAt, replies } = row
  const chosen = replies.find(({ reply }) => reply === answer)
  const answered = {
    answer: answer ?? '',
    by: answeredBy ?? '',
    how: identifiedBy ?? '',
    at: decidedAt ?? Number.NaN,
    stated: (chosen?.effects ?? []).filter(({ effect }) => effect === 'move').map(({ path }) => path),
    lateMs,
  }
  return { status: 'done', outcome: answer, result: resultOf(answered, row.id), ai: null }
}
