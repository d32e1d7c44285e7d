import { cut, type JsonValue, messageOf } from '../../core/index.ts'
import {
  type ChatMessage,
  type ChatRequest,
  LanguageError,
  type LanguageFailure,
  type LanguageModel,
} from '../language.ts'
import { SAID, type Sureness } from '../sureness.ts'
import type { FieldValue, TraceEntry, UnsureReason } from '../types.ts'
import { agreed, type Draw } from './agree.ts'
import { grammarOf } from './grammar.ts'
import { maxTokensOf, type Question, UNSURE, valuesOf } from './question.ts'
import { type Answer, readDecision } from './read.ts'
import { schemaOf } from './schema.ts'

/** How it is found out how sure a model is. */
export type Weighing = 'likelihood' | 'agreement'

export interface Asking {
  language: LanguageModel
  question: Question
  /** The conversation. `problem`: what was wrong with the answer before, in words that repeat nothing of it. */
  messages(problem: string | null): readonly ChatMessage[]
  /** The author's question, for models that take no conversation. */
  task?: string
  now(): number
  /** Epoch ms by which it has to be over. */
  deadline: number
  signal?: AbortSignal
  /** Takes one entry for each call. */
  trace: TraceEntry[]
  /** What the trace should say of what the model was given. */
  note?: { [name: string]: JsonValue }
  /** Where the model can do both: default its likelihoods. Asked for by name, agreement takes three draws anywhere. */
  weighing?: Weighing
  /** The field whose likelihood is measured where rules decide. */
  weigh?: string
}

export type Asked =
  | { ok: true; answer: Answer; decision: Sureness; fields: { [name: string]: Sureness } }
  | { ok: false; unsureReason: UnsureReason; reason: string }

/** Draws of which the share that agrees is taken, where a model is quick enough. */
const DRAWS = 3
/** Of these draws, so that they can differ. */
const WARMTH = 0.7
const LONGEST_ANSWER = 2_000

const WHY: Readonly<Record<LanguageFailure, UnsureReason>> = {
  down: 'llm_down',
  overloaded: 'llm_down',
  refused: 'llm_down',
  timeout: 'over_budget',
  aborted: 'over_budget',
  malformed: 'invalid_output',
}

/**
 * Asks a model for an answer of one form, once more where it comes in another, and finds out how sure it is: by the
 * likelihood of what it said, or by how many of three draws say the same. Never rejects.
 */
export async function askDecision(asking: Asking): Promise<Asked> {
  const { language, question, weighing } = asking
  const weighed = weighing !== 'agreement' && language.likelihoods ? weighedOf(asking) : null
  const draws = weighing === 'agreement' || (!weighed && language.backend === 'gpu') ? DRAWS : 1
  const first = await firstAnswer(asking, draws > 1 ? WARMTH : 0, weighed)
  if (!first.ok) return first
  if (draws === 1) return { ok: true, answer: first.answer, ...likely(first, weighed) }
  const drawn: Draw[] = [first.answer]
  for (let seed = 3; drawn.length < draws && left(asking) > 0; seed++) {
    const next = await call(asking, { temperature: WARMTH, seed, problem: null, weighed: null })
    if (next.ok) drawn.push(next.answer)
    // What broke off says nothing of the answer; what is no answer does not agree with it.
    else if (next.unsureReason === 'invalid_output') drawn.push(null)
    else break
  }
  return { ok: true, ...agreed(drawn, first.answer, question) }
}

interface Weighed {
  key: string
  options: readonly string[]
}

/** What is said of how likely it is: the decision, else the field that was named. */
function weighedOf({ question: { options, fields }, weigh }: Asking): Weighed | null {
  if (options) return { key: 'decision', options: [...options, UNSURE] }
  const field = weigh === undefined ? undefined : fields[weigh]
  const values = field && valuesOf(field)
  return weigh !== undefined && values ? { key: weigh, options: values } : null
}

type Answered =
  | { ok: true; answer: Answer; options: { readonly [option: string]: number } | null }
  | { ok: false; unsureReason: UnsureReason; reason: string; problem: string | null }

async function firstAnswer(asking: Asking, temperature: number, weighed: Weighed | null): Promise<Answered> {
  const first = await call(asking, { temperature, seed: 1, problem: null, weighed })
  if (first.ok || first.problem === null || left(asking) <= 0) return first
  return call(asking, { temperature, seed: 2, problem: first.problem, weighed })
}

function left({ now, deadline, signal }: Asking): number {
  return signal?.aborted ? 0 : deadline - now()
}

async function call(
  asking: Asking,
  how: { temperature: number; seed: number; problem: string | null; weighed: Weighed | null },
): Promise<Answered> {
  const { language, question, now, trace, note, signal } = asking
  const { temperature, seed, problem, weighed } = how
  const timeoutMs = left(asking)
  const failed = (unsureReason: UnsureReason, reason: string, wrong: string | null = null): Answered => ({
    ok: false,
    unsureReason,
    reason,
    problem: wrong,
  })
  if (timeoutMs <= 0) return failed('over_budget', 'there was no time left to ask the language model')
  const request: ChatRequest = {
    messages: asking.messages(problem),
    ...(asking.task !== undefined && { task: asking.task }),
    schema: schemaOf(question),
    grammar: grammarOf(question, { ascii: problem !== null }),
    temperature,
    seed,
    maxTokens: maxTokensOf(question),
    timeoutMs,
    ...(signal && { signal }),
    ...(weighed && { likelihood: weighed }),
  }
  const startedAt = now()
  const entry = (status: 'ok' | 'failed', result: { [name: string]: JsonValue }, tokens = {}): void => {
    const asked = { ...note, temperature, seed, ...(problem !== null && { problem_before: problem }) }
    trace.push({
      kind: 'model',
      name: language.name,
      startedAt,
      ms: now() - startedAt,
      status,
      result: { ...asked, ...result },
      ...tokens,
    })
  }
  try {
    const { text, tokensIn, tokensOut, options } = await language.chat(request)
    const read = readDecision(question, text)
    const answer = cut(text, LONGEST_ANSWER)
    const said = {
      answer,
      ...(options && { options: { ...options } }),
      ...(!read.ok && { problem: read.problem }),
    }
    entry(read.ok ? 'ok' : 'failed', said, { tokensIn, tokensOut })
    if (read.ok) return { ok: true, answer: read.answer, options: options ?? null }
    return failed(
      'invalid_output',
      `the answer of ${language.name} was of no use: ${read.problem}`,
      read.problem,
    )
  } catch (error) {
    const failure = error instanceof LanguageError ? error.failure : 'down'
    entry('failed', { failure, message: messageOf(error) })
    const wrong = failure === 'malformed' ? 'it was not whole' : null
    return failed(WHY[failure], messageOf(error), wrong)
  }
}

/** How likely what was said is, where that was measured. */
function likely(
  { answer, options }: Extract<Answered, { ok: true }>,
  weighed: Weighed | null,
): { decision: Sureness; fields: { [name: string]: Sureness } } {
  const fields: { [name: string]: Sureness } = Object.fromEntries(
    Object.keys(answer.fields).map(name => [name, SAID]),
  )
  if (!options || !weighed) return { decision: SAID, fields }
  const said = weighed.key === 'decision' ? answer.decision : wordOf(answer.fields[weighed.key] ?? null)
  const share = said !== null && Object.hasOwn(options, said) ? options[said] : undefined
  if (share === undefined || !(share >= 0 && share <= 1)) return { decision: SAID, fields }
  const sureness: Sureness = { confidence: share, source: 'likelihood', unmeasured: false }
  if (weighed.key === 'decision') return { decision: sureness, fields }
  return { decision: SAID, fields: { ...fields, [weighed.key]: sureness } }
}

function wordOf(value: FieldValue): string {
  if (value === null) return UNSURE
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
}
