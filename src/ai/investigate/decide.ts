import { askDecision } from '../decision/ask.ts'
import { type Question, UNSURE, weighedField } from '../decision/question.ts'
import type { ChatMessage, LanguageModel } from '../language.ts'
import { reasonOf } from '../reason.ts'
import { decide, type Filled } from '../rules.ts'
import { capped, GIVEN, isBelow, type Sureness, shownOf } from '../sureness.ts'
import type { Decision, FieldValue, TraceEntry, UnsureReason } from '../types.ts'
import { decideMessage } from './messages.ts'
import type { InvestigatePorts, InvestigateSpec } from './types.ts'
import { TooLate, within } from './within.ts'

const GRACE_MS = 2_000

interface Deciding {
  language: LanguageModel
  spec: InvestigateSpec
  /** What the model is asked; null: nothing, rules decide by what is known. */
  question: Question | null
  known: Readonly<Record<string, FieldValue>>
  /** What the decision depends on and could not be had. */
  lacks: readonly string[]
  conversation(): ChatMessage[]
  msLeft: number
  tokensLeft: number
  ports: InvestigatePorts
  trace(entry: TraceEntry): Promise<void>
  make(decision: string, reason: string, rest: Partial<Decision>): Decision
}

/** The decision phase: a call of its own without any tool, held to the form of the decision, then the rules. */
export async function decideBy(it: Deciding): Promise<Decision> {
  const { spec, question, known } = it
  const filled = new Map<string, Filled>(
    Object.entries(known).map(([name, value]) => [name, { value, ...GIVEN }]),
  )
  const asked = question && (await ask(it, question))
  if (asked && !asked.ok) return unsure(it, asked.unsureReason, asked.reason)
  for (const [name, value] of Object.entries(asked?.answer.fields ?? {})) {
    const sureness = asked?.fields[name]
    if (value !== null && sureness) filled.set(name, { value, ...sureness })
  }
  const values = Object.fromEntries(
    Object.keys(spec.fields).map((name): [string, FieldValue] => [name, filled.get(name)?.value ?? null]),
  )
  const reason = asked?.answer.reason || reasonOf(spec.fields, values) || 'no reason was given'
  const told = { fields: values, selfReported: asked?.answer.selfReported ?? null }
  if (!spec.rules) {
    const decision = asked?.answer.decision ?? UNSURE
    if (!asked || !spec.options.includes(decision))
      return unsure(it, 'below_floor', `it cannot be told: ${reason}`, told)
    return finish(it, decision, asked.decision, reason, told)
  }
  const outcome = decide(spec.rules, filled)
  if (outcome.kind === 'no_rule') return unsure(it, 'no_rule', `no rule matched: ${reason}`, told)
  if (outcome.kind === 'unfilled')
    return unsure(it, 'no_rule', `“${outcome.field}” cannot be told: ${reason}`, told)
  return finish(it, outcome.then, outcome.sureness, reason, { ...told, rule: outcome.rule })
}

async function ask(it: Deciding, question: Question) {
  const { language, ports, msLeft } = it
  const late = { ok: false as const, unsureReason: 'over_budget' as const }
  if (msLeft <= 0) return { ...late, reason: 'there was no time left to decide' }
  if (it.tokensLeft <= 0) return { ...late, reason: 'there were no tokens left to decide' }
  const calls: TraceEntry[] = []
  const weigh = weighedField(it.spec.rules, question)
  const { after, signal } = ports
  try {
    const asked = await within(msLeft + GRACE_MS, { after, ...(signal && { signal }) }, stop =>
      askDecision({
        language,
        question,
        messages: problem => [...it.conversation(), decideMessage(question, problem)],
        now: ports.now,
        deadline: ports.now() + msLeft,
        signal: stop,
        trace: calls,
        note: { phase: 'decision' },
        ...(weigh !== undefined && { weigh }),
      }),
    )
    return asked
  } catch (error) {
    const reason =
      error instanceof TooLate ? 'the decision took too long' : 'the investigation was broken off'
    return { ...late, reason }
  } finally {
    for (const [n, entry] of calls.entries()) {
      await it.trace(entry)
      // One call was set apart for the decision; what it took besides counts too.
      if (n > 0) ports.takeCall()
    }
  }
}

/** What the decision rests on and could not be had keeps it under the floor. */
function finish(
  it: Deciding,
  decision: string,
  said: Sureness,
  reason: string,
  told: Partial<Decision>,
): Decision {
  const { spec, lacks } = it
  const sure = lacks.length ? capped(said, spec.floor) : said
  if (!isBelow(sure, spec.floor)) return it.make(decision, reason, { ...told, ...shownOf(sure) })
  const share = (n: number | null) => `${Math.floor((n ?? 0) * 100)} %`
  const why = lacks.length ? lacks.join(', ') : `${share(sure.confidence)} sure, ${share(spec.floor)} needed`
  const confidence = { confidence: sure.confidence, confidenceSource: sure.source }
  return unsure(it, 'below_floor', `${reason}: ${why}`, { ...told, ...confidence })
}

function unsure(it: Deciding, unsureReason: UnsureReason, reason: string, rest: Partial<Decision> = {}) {
  return it.make('unsure', reason, { ...rest, unsureReason })
}
