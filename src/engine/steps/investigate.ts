import {
  type Answer,
  type Decision,
  type InvestigatePorts,
  type LanguageModel,
  resume,
  runInvestigate,
  type Suspended,
  undecided,
} from '../../ai/index.ts'
import type { JsonValue } from '../../core/index.ts'
import { isObject } from '../json.ts'
import type { EngineDeps } from '../ports.ts'
import type { Node } from '../program.ts'
import type { Run } from '../run.ts'
import type { Looked } from './ai.ts'
import { decidedEnd } from './decided.ts'
import { evidenceText } from './evidence-text.ts'
import { type InvestigateParams, investigateInput, investigateSpec } from './investigate-spec.ts'
import { type Asking, asking, isFull, publishQuestion } from './question-row.ts'
import { pictureOf, recordsOf, toolsOf } from './tool-room.ts'
import type { WaitingKind } from './waiting.ts'

/** The kind of `due` row of an investigation that waits for a person. */
export const INVESTIGATE = 'investigate'

/** It waits for a person: what its rows keep. */
export interface Rests {
  rests: Asking & { payload: JsonValue }
}

/** Investigates from the beginning. Only a store that fails rejects. */
export async function investigate(
  run: Run,
  node: Node,
  stepId: number,
  deps: EngineDeps,
): Promise<Looked | Rests> {
  const params = node.step.params as InvestigateParams
  const { aiPerHour } = deps.site()
  const hour = Math.min(run.loaded.limits.aiPerHour, aiPerHour ?? Number.POSITIVE_INFINITY)
  return atWork(run, node, stepId, deps, (model, ports) =>
    runInvestigate(
      model,
      investigateSpec(params, model, deps.speed?.()?.turnSeconds ?? null, hour),
      investigateInput(params, run, deps.site(), recordsOf(deps), deps.clock.now()),
      ports,
    ),
  )
}

type Began = (model: LanguageModel, ports: InvestigatePorts) => Promise<Decision | Suspended>

/** Carries an investigation on to its decision, or to a question that people are really asked. */
async function atWork(
  run: Run,
  node: Node,
  stepId: number,
  deps: EngineDeps,
  began: Began,
): Promise<Looked | Rests> {
  const params = node.step.params as InvestigateParams
  const kept: number[] = []
  const onKept = (media: number) => {
    kept.push(media)
    run.lastMedia = media
  }
  const end = (decision: Decision): Looked => {
    const decided = decidedEnd(decision, params.decision, judged => evidenceOf(judged, stepId, deps))
    decided.ended.result = { evidence: evidenceText(deps.store.toolCalls.ofStep(stepId)) }
    return { ...decided, media: kept.at(-1) ?? null, trace: [], looks: false }
  }
  const model = deps.language?.model ?? null
  if (!model) return end(undecided('llm_down', 'no language model on this box'))
  // A store that fails is not to be mistaken for a decision: what ran could not be kept.
  let broken: unknown = null
  const ports: InvestigatePorts = {
    tools: toolsOf(params.tools, run, stepId, { sees: model.sees, onKept }, deps),
    now: () => deps.clock.now(),
    after: (ms, callback) => deps.clock.after(ms, callback),
    signal: run.signal,
    takeCall: () => takeCall(run, deps),
    onTrace: async call => {
      const row = { argsAsked: null, mode: null, tokensIn: null, tokensOut: null, ...call, stepId }
      try {
        await deps.store.write(() => deps.store.toolCalls.insert(row))
      } catch (error) {
        broken = error
        throw error
      }
    },
    picture: ref => pictureOf(ref, deps),
  }
  const test = run.facts.state === 'test'
  let came = await began(model, ports)
  for (;;) {
    if (broken !== null) throw broken
    if (!('suspended' in came)) return end(came)
    if (!test && !isFull(deps)) {
      return { rests: { ...asking(run, came.suspended, deps), payload: { state: came.state } } }
    }
    came = await resume(model, came.state, { answer: null, ...(test && { test }) }, ports)
  }
}

/** Of what workflow and site may ask AI in an hour, every call of the model is one. */
function takeCall({ loaded: { limits } }: Run, { clock }: EngineDeps): boolean {
  const now = clock.now()
  if (limits.aiFull(now) !== null) return false
  limits.ai.add(now)
  return true
}

/** The pictures that tools kept with the step, and what was seen in them. */
function evidenceOf({ evidence }: Decision, stepId: number, { store }: EngineDeps): JsonValue {
  const seen = new Map(evidence.pictures.map(each => [each.ref ?? null, each.seen]))
  const run = store.steps.get(stepId)?.runId ?? 0
  const own = store.media.ofRun(run).filter(row => row.stepId === stepId || seen.has(row.id))
  return own.map(({ id }) => ({ media: id, seen: (seen.get(id) ?? null) as unknown as JsonValue }))
}

/** An investigation that waits for a person: it goes on with the answer, or without one at its deadline. */
export const investigating: WaitingKind = {
  park() {
    throw new Error('an investigation has begun before it waits')
  },

  async wake({ run, node, step, due, now, deps }) {
    const { approvals } = deps.store
    const asked = approvals.ofStep(step.id)
    if (asked?.status === 'open') {
      // Answer, deadline and stop are one compare-and-set; what the row says afterwards is what happened.
      await deps.store.write(() => approvals.decide(asked.id, { status: 'expired', answer: null }, now))
      publishQuestion(step.id, deps)
    }
    const decided = approvals.ofStep(step.id)
    const answer: Answer = { answer: decided?.status === 'answered' ? decided.answer : null }
    const state = isObject(due?.payload) ? (due.payload.state ?? null) : null
    run.thinking = true
    const came = await atWork(run, node, step.id, deps, (model, ports) =>
      resume(model, state, answer, ports),
    ).finally(() => {
      run.thinking = false
    })
    if ('rests' in came) {
      const { until, payload, also, told } = came.rests
      return { again: until, payload, also: () => also(step.id), told: () => told(step.id) }
    }
    return { ended: came.ended, thought: came.decision }
  },

  stop({ id }, now, { store }) {
    const asked = store.approvals.ofStep(id)
    return !asked || store.approvals.decide(asked.id, { status: 'stopped' }, now)
  },

  stopped: ({ id }, deps) => publishQuestion(id, deps),
}
