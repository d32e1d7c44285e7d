import { parseDuration, placeholdersIn } from '../../contract/index.ts'
import type { JsonValue } from '../../core/index.ts'
import { type CallField, type CallRequest, wanting } from '../../kinds/index.ts'
import type { StepRow } from '../../store/index.ts'
import { CALL, type Came, cameIn, dueOfCall } from '../call-came.ts'
import { identityOf } from '../identity.ts'
import { isObject } from '../json.ts'
import type { EngineDeps } from '../ports.ts'
import type { Ended, Run } from '../run.ts'
import { runCorrelation } from '../taint.ts'
import { deliveryId } from '../tells.ts'
import type { WaitingKind } from './waiting.ts'

/** Calls that go on at the same time; of more, nobody is called. */
const MOST = 32

interface Params {
  goal: string
  outcomes: string[]
  fields?: { [name: string]: CallField }
  timeout: string
}

/**
 * Calls somebody and goes the way of what came of it. Its row is on the disk before the call is placed, and it is
 * placed once: whatever happens then, nobody is called again for it. What comes to nothing takes `no_answer`.
 */
export const call: WaitingKind = {
  park(run, node, deps) {
    const { clock } = deps
    const params = node.step.params as Params
    const inputs = node.render(run.values)
    const { who, script } = saidIn(inputs)
    if (run.facts.state === 'test') return { inputs, ended: nobody('would_have', { would_call: [...who] }) }
    const obstacle = obstacleTo(run, deps)
    if (obstacle) return { inputs, ended: nobody('done', { ...obstacle }) }
    const startedAt = clock.now()
    run.loaded.limits.ai.add(startedAt)
    const deadline = startedAt + (parseDuration(params.timeout) ?? 0)
    const named = placeholdersIn(params.goal).filter(name => Object.hasOwn(run.values, name))
    const request = {
      who,
      goal: params.goal,
      script,
      values: Object.fromEntries(named.map(name => [name, run.values[name] ?? null])),
      outcomes: params.outcomes,
      fields: params.fields ?? {},
      deadline,
    }
    const trigger = (name: string) => run.values[`trigger.${name}`]
    return {
      waits: {
        inputs,
        until: deadline,
        payload: { identity: identityOf(run.program.identities, run.facts.cameraId, trigger) },
        told: id => {
          const step = { id, runId: run.id, seq: deps.store.steps.seqOf(id) }
          // A stop counts at once: nobody is called for what is over.
          if (!run.stopping) deps.calling?.place(step, { ...request, ...idsOf(step, deps) })
        },
      },
    }
  },

  wake({ step, due, deps }) {
    const came = cameIn(due) ?? { code: 'timeout', message: 'Nothing came of it in its time.' }
    deps.calling?.hangUp(step.id)
    return { ended: endOf(came, idsOf(step, deps).id) }
  },

  stop: (step, _now, { store }) => cameIn(dueOfCall(step, store)) === null,

  stopped: ({ id }, deps) => deps.calling?.hangUp(id),
}

/** Why nobody is called for this, which is counted; null: somebody is. */
function obstacleTo(
  { loaded: { limits } }: Run,
  { clock, world = {}, calling, onShed }: EngineDeps,
): { code: string; message: string } | null {
  const full = limits.aiFull(clock.now())
  if (full !== null)
    return { code: 'over_budget', message: `${full.charAt(0).toUpperCase()}${full.slice(1)}.` }
  if ((calling?.size ?? 0) >= MOST) {
    onShed?.('calls_full')
    return { code: 'calls_full', message: `${MOST} calls are going on: this one was not placed.` }
  }
  const why = wanting('steps', CALL, world)
  return why === null ? null : { code: 'call_failed', message: `Nobody can be called: ${why}.` }
}

/** The call's one id, and by what its echo is known. */
function idsOf(
  { runId, seq }: Pick<StepRow, 'runId' | 'seq'>,
  { store }: EngineDeps,
): Pick<CallRequest, 'id' | 'correlationId'> {
  const { boxId } = store.meta
  return { id: deliveryId(boxId, runId, seq), correlationId: runCorrelation(boxId, runId) }
}

/** Who is called and what is said first, values filled in. */
function saidIn(inputs: JsonValue): Pick<CallRequest, 'who' | 'script'> {
  const { who = [], script } = isObject(inputs) ? inputs : {}
  return { who: [who].flat().map(String), script: typeof script === 'string' ? script : null }
}

function endOf(came: Came, id: string): Ended {
  if (!('outcome' in came)) return nobody('done', { ...came, call: id })
  const { outcome, answered_by, transcript, fields, reason } = came
  return {
    status: 'done',
    outcome,
    result: { answer: outcome, answered_by, call: id, ...(transcript !== null && { transcript }) },
    ai: { fields, reason, confidence: null },
  }
}

function nobody(status: Ended['status'], more: { [key: string]: JsonValue }): Ended {
  return { status, outcome: 'no_answer', result: { answer: null, answered_by: '', ...more }, ai: null }
}
