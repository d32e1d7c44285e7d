import { messageOf } from '../core/index.ts'
import { type Measured, type MeasuredSpec, VisionError } from '../vision/index.ts'
import { carriedValue } from './carried.ts'
import { type Asked, askDecision } from './decision/ask.ts'
import { type Question, questionOf, UNSURE, weighedField } from './decision/question.ts'
import type { LanguageModel } from './language.ts'
import { lookMessages } from './prompt/look.ts'
import { oneLine, reasonOf } from './reason.ts'
import { decide, type Filled } from './rules.ts'
import { Sights } from './sights.ts'
import { capped, GIVEN, isBelow, least, type Sureness, shownOf } from './sureness.ts'
import type {
  Decision,
  DecisionSpec,
  FieldValue,
  LookInput,
  LookTools,
  TraceEntry,
  UnsureReason,
} from './types.ts'
import { usageOf } from './usage.ts'

/**
 * Looks once and decides. Never throws: whatever goes wrong is the decision `unsure` with its reason.
 *
 * Measured fields are filled by detector and reader, an asked field by the run's value of the same name where that
 * fits it. What is left is asked of the language model in one call: these fields, and the decision where no rules make
 * it. Without a model, or where it fails, rules that need none of its fields decide all the same.
 */
export async function runLook(spec: DecisionSpec, input: LookInput, tools: LookTools): Promise<Decision> {
  const look = new Look(spec, input, tools)
  try {
    return await look.run()
  } catch (error) {
    if (error instanceof VisionError) return look.unsure(error.failure, error.message)
    return look.unsure('vision_down', messageOf(error))
  }
}

class Look {
  readonly #started: number
  readonly #trace: TraceEntry[] = []
  readonly #filled = new Map<string, Filled>()
  readonly #sights: Sights
  readonly #spec: DecisionSpec
  readonly #input: LookInput
  readonly #tools: LookTools

  constructor(spec: DecisionSpec, input: LookInput, tools: LookTools) {
    this.#spec = spec
    this.#input = input
    this.#tools = tools
    this.#started = tools.now()
    this.#sights = new Sights(input, tools, this.#trace)
  }

  async run(): Promise<Decision> {
    const { language = null } = this.#tools
    const measured = Object.entries(this.#spec.fields).flatMap(([name, field]) =>
      'measure' in field ? [{ name, field }] : [],
    )
    for (const [name, field] of Object.entries(this.#spec.fields)) {
      const value = 'ask' in field ? carriedValue(field, this.#input.values[name]) : null
      if (value !== null) this.#filled.set(name, { value, ...GIVEN })
    }
    const isMeasured = (name: string) => measured.some(each => each.name === name)
    const known = { has: (name: string) => this.#filled.has(name) || isMeasured(name) }
    const question = questionOf(this.#spec, known, this.#tools.selfReport ?? !language?.onlyPictures)
    const given = this.#input.text !== null || (this.#input.event ?? null) !== null
    const blind = given && !(language?.onlyPictures && this.#input.pictures.length)
    const shown = !blind && question !== null && language !== null
    if (measured.length || shown) {
      const refusal = this.#sights.refusal(this.#spec.maxAgeMs)
      if (refusal) return this.unsure(refusal.unsureReason, refusal.reason)
    }
    await this.#look(
      measured.map(({ field }) => field),
      shown && !language.sees,
    )
    if (shown && language.sees) await this.#sights.shrink()
    for (const { name, field } of measured) this.#filled.set(name, this.#measured(field))
    if (!question || !language) return this.#judge(null)
    const asked = await this.#ask(language, question)
    if (asked.ok) this.#take(asked)
    return this.#judge(asked)
  }

  unsure(unsureReason: UnsureReason, reason: string, rest: Partial<Decision> = {}): Decision {
    return { ...this.#decision('unsure', oneLine(reason)), unsureReason, ...rest }
  }

  /** A model that does not see is given all that detector and reader can tell. */
  async #look(fields: readonly MeasuredSpec[], scene: boolean): Promise<void> {
    const has = (...measures: MeasuredSpec['measure'][]) =>
      fields.some(({ measure }) => measures.includes(measure))
    const want = { objects: scene || has('count', 'present'), text: scene || has('text', 'plate') }
    if (want.objects || want.text) await this.#sights.see(want)
  }

  #ask(language: LanguageModel, question: Question): Promise<Asked> {
    const { now, timeoutMs, signal, weighing } = this.#tools
    const { pictures } = this.#sights
    const scenes = pictures.length || language.sees ? [] : this.#sights.seen.map(({ seen }) => seen)
    const told = (problem: string | null) =>
      lookMessages({
        prompt: this.#spec.prompt,
        question,
        facts: this.#input.facts,
        clock: this.#input.clock,
        values: this.#input.values,
        known: Object.fromEntries([...this.#filled].map(([name, { value }]) => [name, value])),
        text: this.#input.text,
        event: this.#input.event ?? null,
        scenes,
        pictures,
        contextTokens: language.contextTokens ?? null,
        problem,
      })
    const { shed } = told(null)
    const given = pictures.length ? 'pictures' : scenes.length ? 'scene facts' : 'data'
    const weigh = weighedField(this.#spec.rules, question)
    return askDecision({
      language,
      question,
      messages: problem => told(problem).messages,
      task: this.#spec.prompt,
      now,
      deadline: this.#started + timeoutMs,
      trace: this.#trace,
      note: { given, pictures: pictures.length, ...(shed > 0 && { shed }) },
      ...(signal && { signal }),
      ...(weighing && { weighing }),
      ...(weigh !== undefined && { weigh }),
    })
  }

  /** What the model could not tell stays open. */
  #take({ answer, fields }: Extract<Asked, { ok: true }>): void {
    for (const [name, value] of Object.entries(answer.fields)) {
      const sureness = fields[name]
      if (value !== null && sureness) this.#filled.set(name, { value, ...sureness })
    }
  }

  #judge(asked: Asked | null): Decision {
    const { rules, options } = this.#spec
    const told = asked?.ok ? { selfReported: asked.answer.selfReported, model: this.#model(true) } : {}
    if (!rules) {
      if (!asked) return this.unsure('llm_down', 'no language model on this box, and the step has no rules')
      if (!asked.ok) return this.unsure(asked.unsureReason, asked.reason)
      const { decision, reason } = asked.answer
      if (decision === null || decision === UNSURE || !options.includes(decision))
        return this.unsure('below_floor', `it cannot be told: ${reason || this.#saw()}`, told)
      return this.#finish(decision, this.#restsOn(asked.decision), reason || this.#saw(), told)
    }
    const outcome = decide(rules, this.#filled)
    if (outcome.kind === 'no_rule')
      return this.unsure('no_rule', `no rule matched: ${this.#saw() || 'nothing known'}`, told)
    if (outcome.kind === 'unfilled') return this.#open(outcome.field, asked, told)
    return this.#finish(outcome.then, outcome.sureness, this.#saw(), { ...told, rule: outcome.rule })
  }

  /** A rule that could decide reads a field that nobody filled. */
  #open(field: string, asked: Asked | null, told: Partial<Decision>): Decision {
    if (!asked) return this.unsure('llm_down', `no language model on this box to fill “${field}”`)
    if (!asked.ok) return this.unsure(asked.unsureReason, asked.reason)
    return this.unsure('no_rule', `“${field}” cannot be told: ${asked.answer.reason || this.#saw()}`, told)
  }

  /** What a model decides rests on what was measured for it, too. */
  #restsOn(said: Sureness): Sureness {
    return least([said, ...[...this.#filled.values()].filter(({ source }) => source === 'measured')])
  }

  #finish(decision: string, sureness: Sureness, reason: string, rest: Partial<Decision>): Decision {
    const { floor } = this.#spec
    const { lost } = this.#sights
    const sure = lost ? capped(sureness, floor) : sureness
    const shown = { ...rest, ...shownOf(sure) }
    if (isBelow(sure, floor)) {
      const share = (n: number | null) => `${Math.floor((n ?? 0) * 100)} %`
      const [is, of] = [lost === 1 ? 'a picture' : `${lost} pictures`, this.#input.pictures.length]
      const why = lost
        ? `${is} of ${of} could not be looked at`
        : `${share(sure.confidence)} sure, ${share(floor)} needed`
      const confidence = { confidence: sure.confidence, confidenceSource: sure.source }
      return this.unsure('below_floor', `${oneLine(reason, 150)}: ${why}`, { ...shown, ...confidence })
    }
    return { ...this.#decision(decision, oneLine(reason)), ...shown }
  }

  /** Over several frames: the most that any frame shows; of texts and plates the surest. */
  #measured(field: MeasuredSpec): Filled {
    const all = this.#sights.seen.map(({ seen }) => this.#tools.measure(field, seen))
    const weight = ({ value, confidence }: Measured) =>
      typeof value === 'string' ? (value ? 1 : 0) + confidence : Number(value) * 2 + confidence
    const { value, confidence } = all.reduce((a, b) => (weight(b) > weight(a) ? b : a))
    return { value, confidence, source: 'measured', unmeasured: false }
  }

  #saw(): string {
    return reasonOf(this.#spec.fields, this.#values())
  }

  #values(): Record<string, FieldValue> {
    return Object.fromEntries(
      Object.keys(this.#spec.fields).map(name => [name, this.#filled.get(name)?.value ?? null]),
    )
  }

  #model(asked: boolean): string | null {
    const first = this.#sights.seen[0]?.seen.models
    const names = [first?.detector, first?.reader, asked ? this.#tools.language?.name : null]
    return names.filter(name => name).join(' + ') || null
  }

  #decision(decision: string, reason: string): Decision {
    return {
      decision,
      fields: this.#values(),
      reason,
      confidence: null,
      confidenceSource: null,
      selfReported: null,
      unsureReason: null,
      rule: null,
      evidence: { pictures: this.#sights.seen },
      trace: this.#trace,
      usage: usageOf(this.#trace, this.#tools.now() - this.#started),
      model: this.#model(false),
    }
  }
}
