import type { JsonValue } from '../../core/index.ts'
import { isObject } from '../json.ts'
import type { RunView, StepView, Tried, TriedEvent } from '../types.ts'

/** A run as it is set beside another one. */
export function triedOf(view: RunView): Tried {
  const judged = judgedIn(view.steps)
  const effects = view.steps.filter(isEffect)
  const question = view.steps.find(isQuestion)
  return {
    run: view.id,
    version: view.version,
    status: view.status,
    decision: judged?.outcome ?? null,
    reason: judged?.reason ?? view.error,
    confidence: judged?.confidence ?? null,
    asks: question ? asksOf(question.inputs) : null,
    did: effects.map(wordsOf).join(', ') || 'did nothing',
    effects: effects.map(({ path, kind, status, inputs }) => ({ path, kind, status, inputs })),
  }
}

/**
 * Whether an event comes out differently: by another decision; without AI, by other effects; or by nothing at all
 * where something ran. In a try nobody is asked, so that what hangs on an answer is not compared: up to the question
 * and with it, everything is.
 */
export function isFlipped(
  then: RunView,
  now: RunView | null,
  keptOut: TriedEvent['kept_out'],
): boolean | null {
  if (!now) return keptOut?.code === 'guard' || keptOut?.code === 'no_match' ? true : null
  const asks = now.steps.some(isQuestion)
  const [before, after] = [then, now].map(({ steps }) => (asks ? untilAsked(steps) : steps)) as [
    StepView[],
    StepView[],
  ]
  const [was, is] = [before, after].map(steps => judgedIn(steps)?.outcome ?? null)
  if (was !== null || is !== null) return was !== is
  const does = (steps: StepView[]) => JSON.stringify(steps.filter(isEffect).map(signOf))
  return does(before) !== does(after)
}

function judgedIn(steps: readonly StepView[]): StepView | undefined {
  return steps.findLast(({ kind }) => kind === 'ai')
}

/** What was done, or would have been; what only looks, waits or chooses a way is none. */
function isEffect({ kind, result, status }: StepView): boolean {
  return kind !== 'ai' && (status === 'would_have' || (result !== null && status !== 'waiting'))
}

function isQuestion({ kind }: StepView): boolean {
  return kind === 'ask_person' || kind === 'call'
}

/** The steps up to the first question and with it; all where nobody is asked. */
function untilAsked(steps: StepView[]): StepView[] {
  const at = steps.findIndex(isQuestion)
  return at < 0 ? steps : steps.slice(0, at + 1)
}

/** By what two effects are told apart: what is said in them may be worded anew, a question and its replies may not. */
function signOf({ kind, inputs }: StepView): JsonValue {
  if (!isObject(inputs)) return [kind]
  const { to = null, who = null, message = null, replies = null, goal = null, outcomes = null } = inputs
  if (kind === 'call') return [kind, who, goal, outcomes]
  return kind === 'ask_person' ? [kind, who, message, replies] : [kind, to]
}

function asksOf(inputs: JsonValue): NonNullable<Tried['asks']> {
  const { who, goal = '', message = goal } = isObject(inputs) ? inputs : {}
  return {
    who: [who ?? []].flat().map(String),
    message: typeof message === 'string' ? message : '',
  }
}

/** `asks role:guard “Open for Ann?”, Open`; `calls role:guard “Is it expected?”`; `webhook to barrier`. */
function wordsOf(step: StepView): string {
  const { kind, inputs, status, result } = step
  if (!isQuestion(step)) {
    const to = isObject(inputs) && typeof inputs.to === 'string' ? ` to ${inputs.to}` : ''
    return `${kind}${to}${status === 'failed' || status === 'unknown' ? ` (${status})` : ''}`
  }
  const { who, message } = asksOf(inputs)
  const answer = isObject(result) && result.answered_by ? `: ${result.answer} by ${result.answered_by}` : ''
  return `${kind === 'call' ? 'calls' : 'asks'} ${who.join(', ')} “${message}”${answer}`
}
