import { messageOf } from '../core/index.ts'
import { type Measured, type MeasuredSpec, type Seen, VisionError } from '../vision/index.ts'
import { carriedValue } from './carried.ts'
import { oneLine, reasonOf } from './reason.ts'
import { decide, type Filled } from './rules.ts'
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

/** A picture that claims to be from later than this is not believed: some clock is wrong. */
const AHEAD_MS = 60_000

/**
 * Looks at the pictures once and decides. Never throws: whatever goes wrong is the decision `unsure` with its reason.
 *
 * Measured fields are filled by detector and reader. An asked field is filled by the run's value of the same name where
 * that fits it. The decision comes from the rule table; without one, or where the first rule that could decide reads a
 * field that nobody filled, there is no language model to ask and the answer is `unsure (llm_down)`.
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
  readonly #seen: { index: number; seen: Seen }[] = []
  readonly #trace: TraceEntry[] = []
  readonly #filled = new Map<string, Filled>()
  readonly #spec: DecisionSpec
  readonly #input: LookInput
  readonly #tools: LookTools

  constructor(spec: DecisionSpec, input: LookInput, tools: LookTools) {
    this.#spec = spec
    this.#input = input
    this.#tools = tools
    this.#started = tools.now()
  }

  async run(): Promise<Decision> {
    const fields = Object.entries(this.#spec.fields)
    const measuredFields = fields.flatMap(([name, field]) => ('measure' in field ? [{ name, field }] : []))
    if (measuredFields.length) {
      const stale = this.#stale()
      if (stale) return stale
      await this.#see(measuredFields.map(({ field }) => field))
      for (const { name, field } of measuredFields) this.#filled.set(name, this.#measured(field))
    }
    for (const [name, field] of fields) {
      const carried = 'ask' in field ? carriedValue(field, this.#input.values[name]) : null
      if (carried !== null) this.#filled.set(name, { value: carried, confidence: null })
    }
    return this.#judge()
  }

  unsure(unsureReason: UnsureReason, reason: string, rest: Partial<Decision> = {}): Decision {
    return { ...this.#decision('unsure', oneLine(reason)), unsureReason, ...rest }
  }

  #judge(): Decision {
    if (!this.#spec.rules)
      return this.unsure('llm_down', 'no language model on this box, and the step has no rules')
    const outcome = decide(this.#spec.rules, this.#filled)
    if (outcome.kind === 'no_rule')
      return this.unsure('no_rule', `no rule matched: ${this.#saw() || 'nothing known'}`)
    if (outcome.kind === 'unfilled') {
      return this.unsure('llm_down', `no language model on this box to fill “${outcome.field}”`)
    }
    const { rule, confidence } = outcome
    const source = confidence === null ? null : ('measured' as const)
    const { floor } = this.#spec
    if (confidence !== null && floor !== null && confidence < floor) {
      const share = (n: number) => `${Math.floor(n * 100)} %`
      const reason = `${this.#saw()}: ${share(confidence)} sure, ${share(floor)} needed`
      return this.unsure('below_floor', reason, { rule, confidence, confidenceSource: source })
    }
    return { ...this.#decision(outcome.then, this.#saw()), rule, confidence, confidenceSource: source }
  }

  #stale(): Decision | null {
    const { pictures } = this.#input
    if (!pictures.length)
      return this.unsure(
        'no_picture',
        'there is no picture to look at: send one with the event, or name a camera with look_at',
      )
    for (const { takenAt, source } of pictures) {
      if (takenAt === null)
        return this.unsure('stale_picture', `the age of the picture from ${source} is not known`)
      const age = this.#started - takenAt
      if (age > this.#spec.maxAgeMs) {
        const [seconds, allowed] = [age, this.#spec.maxAgeMs].map(ms => Math.round(ms / 1000))
        return this.unsure(
          'stale_picture',
          `the picture from ${source} is ${seconds} s old, at most ${allowed} s is allowed (max_age)`,
        )
      }
      if (age < -AHEAD_MS)
        return this.unsure('stale_picture', `the picture from ${source} bears a time in the future`)
    }
    return null
  }

  async #see(fields: readonly MeasuredSpec[]): Promise<void> {
    const want = {
      objects: fields.some(({ measure }) => measure === 'count' || measure === 'present'),
      text: fields.some(({ measure }) => measure === 'text' || measure === 'plate'),
    }
    for (const [index, picture] of this.#input.pictures.entries()) {
      const startedAt = this.#tools.now()
      const left = this.#tools.timeoutMs - (startedAt - this.#started)
      const { signal } = this.#tools
      try {
        const seen = await this.#tools.vision.see(picture, want, {
          timeoutMs: Math.max(1, left),
          ...(signal && { signal }),
        })
        this.#seen.push({ index, seen })
        this.#trace.push(this.#call(startedAt, seen, 'ok'))
      } catch (error) {
        this.#trace.push({
          kind: 'model',
          name: 'vision',
          startedAt,
          ms: this.#tools.now() - startedAt,
          result: messageOf(error),
          status: 'failed',
        })
        throw error
      }
    }
  }

  #call(startedAt: number, seen: Seen, status: 'ok'): TraceEntry {
    const name = [seen.models.detector, seen.models.reader].filter(model => model !== null).join(' + ')
    const result = {
      objects: seen.detections.length,
      lines: seen.lines?.length ?? null,
      cut: seen.cut,
      ms: { ...seen.ms },
    }
    return { kind: 'model', name, startedAt, ms: this.#tools.now() - startedAt, result, status }
  }

  /** Over several frames: the most that any frame shows; of texts and plates the surest. */
  #measured(field: MeasuredSpec): Filled {
    const all = this.#seen.map(({ seen }) => this.#tools.measure(field, seen))
    const weight = ({ value, confidence }: Measured) =>
      typeof value === 'string' ? (value ? 1 : 0) + confidence : Number(value) * 2 + confidence
    const best = all.reduce((a, b) => (weight(b) > weight(a) ? b : a))
    return { value: best.value, confidence: best.confidence }
  }

  #saw(): string {
    return reasonOf(this.#spec.fields, this.#values())
  }

  #values(): Record<string, FieldValue> {
    return Object.fromEntries(
      Object.keys(this.#spec.fields).map(name => [name, this.#filled.get(name)?.value ?? null]),
    )
  }

  #decision(decision: string, reason: string): Decision {
    const first = this.#seen[0]?.seen.models
    return {
      decision,
      fields: this.#values(),
      reason,
      confidence: null,
      confidenceSource: null,
      selfReported: null,
      unsureReason: null,
      rule: null,
      evidence: { pictures: this.#seen },
      trace: this.#trace,
      usage: usageOf(this.#trace, this.#tools.now() - this.#started),
      model: first ? [first.detector, first.reader].filter(name => name !== null).join(' + ') || null : null,
    }
  }
}
