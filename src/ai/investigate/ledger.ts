import type { JsonValue, Picture } from '../../core/index.ts'
import { carriedValue } from '../carried.ts'
import { type Question as Asked, questionOf } from '../decision/question.ts'
import type { ChatMessage, LanguageModel } from '../language.ts'
import { oneLine } from '../reason.ts'
import type { ToolPicture } from '../tools.ts'
import type { Decision, FieldValue, TraceEntry } from '../types.ts'
import { usageOf } from '../usage.ts'
import { callForm, callKey } from './call.ts'
import { keptFor, lettersOf, opening, turnMessages } from './messages.ts'
import { LETTERS, Room } from './room.ts'
import type { InvestigatePorts, State, Turn } from './types.ts'

/** Of the whole time, what the tool phase may take: the decision needs the rest. */
const TOOL_SHARE = 0.75
const MOST_SEEN = 12

/** What an investigation has taken and found so far: its limits, its trace, and what the model is told of it. */
export class Ledger {
  readonly state: State
  /** Fields that the trigger carries already. */
  readonly known: Readonly<Record<string, FieldValue>>
  /** What the model is asked for in the end; null: rules decide by what is known. */
  readonly question: Asked | null
  readonly #model: LanguageModel
  readonly #ports: InvestigatePorts
  readonly #started: number
  readonly #before: number
  readonly #room: Room
  /** What a model that sees is shown with a turn. */
  readonly #pictures = new WeakMap<Turn, Picture[]>()

  constructor(model: LanguageModel, state: State, ports: InvestigatePorts) {
    this.state = state
    this.#model = model
    this.#ports = ports
    this.#started = ports.now()
    this.#before = state.used.ms
    const { spec, input } = state
    const carried = Object.entries(spec.fields).map(([name, field]): [string, FieldValue] => [
      name,
      carriedValue(field, Object.hasOwn(input.values, name) ? input.values[name] : null),
    ])
    const known = Object.fromEntries(carried.filter(([, value]) => value !== null))
    this.known = known
    this.question = questionOf(spec, { has: name => Object.hasOwn(known, name) }, true)
    this.#room = new Room(model, keptFor(this.question, callForm(ports.tools.offered).maxTokens))
  }

  /** Time that it took by now, ms; waiting for people left out. */
  get ms(): number {
    return this.#before + Math.max(0, this.#ports.now() - this.#started)
  }

  /** What is left of the time for tools, ms. */
  get toolMsLeft(): number {
    return this.state.spec.limits.ms * TOOL_SHARE - this.ms
  }

  /** Of the conversation: as the model counted them, and about so many for what it has not read yet. */
  get #tokens(): number {
    const { lastTokens, turns } = this.state
    if (!lastTokens) return lettersOf(this.messages()) / LETTERS
    const unread = turns.slice(-1).flatMap(turn => turnMessages(turn, []))
    return lastTokens + lettersOf(unread) / this.#lettersOfToken(turns.slice(0, -1))
  }

  /** As the model has counted what it read, with these turns: some scripts take many more tokens than others. */
  #lettersOfToken(read: readonly Turn[]): number {
    const { lastTokens } = this.state
    return lastTokens ? Math.min(LETTERS, lettersOf(this.#conversation(read)) / lastTokens) : LETTERS
  }

  /** What the decision rests on and could not be had, in words. */
  get lacks(): string[] {
    const { failed, lostPicture } = this.state
    return [...failed.map(name => `${name} failed`), ...(lostPicture ? ['a picture was gone'] : [])]
  }

  /** Whether a limit keeps the model from another call of a tool, which the trace then says. */
  async isSpent(): Promise<boolean> {
    const { used, spec, lastTokens } = this.state
    const { limits } = spec
    if (used.toolCalls >= limits.toolCalls) return this.hit('tool_calls', limits.toolCalls)
    // One call is kept for the decision.
    if (used.modelCalls + 1 >= limits.modelCalls) return this.hit('model_calls', limits.modelCalls)
    if (this.toolMsLeft <= 0) return this.hit('seconds', Math.round(limits.ms / 1000))
    if (used.tokens + 2 * lastTokens > limits.tokens) return this.hit('tokens', limits.tokens)
    if (this.#room.isFull(this.#tokens)) return this.hit('context', this.#room.context)
    if (!this.#ports.takeCall()) return this.hit('calls_of_the_hour', used.modelCalls)
    return false
  }

  async hit(limit: string, most: number): Promise<true> {
    const result = { code: 'limit', limit, most }
    const startedAt = this.#ports.now()
    await this.trace({ kind: 'tool', name: 'limit', startedAt, ms: 0, result, status: 'refused' })
    return true
  }

  /** A call of a tool with what it came to: for the trace, and unless it only waits, for the model. */
  async called(
    tool: string,
    args: JsonValue,
    status: TraceEntry['status'],
    result: JsonValue,
    rest: { startedAt?: number; pictures?: readonly ToolPicture[] } = {},
  ): Promise<void> {
    const { startedAt = this.#ports.now(), pictures = [] } = rest
    const mode = this.#ports.tools.get(tool)?.mode
    await this.trace({
      ...{ kind: 'tool', name: tool, startedAt, ms: this.#ports.now() - startedAt, status, result },
      ...{ argsAsked: args, ...(mode !== undefined && { mode }) },
    })
    if (status === 'suspended') return
    for (const { ref, seen } of pictures)
      if (seen && this.state.seen.length < MOST_SEEN) this.state.seen.push({ ref, seen })
    const room = this.#room.behind(this.state.lastTokens, this.#lettersOfToken(this.state.turns))
    const turn: Turn = {
      ...{ call: { tool, args }, status, result, pictures: pictures.map(({ ref }) => ref) },
      ...(room !== undefined && { room }),
    }
    const shown = pictures.map(({ picture }) => picture)
    this.#pictures.set(turn, shown)
    this.state.turns.push(turn)
  }

  async failed(tool: string, args: JsonValue, why: string, startedAt: number): Promise<void> {
    const { failed } = this.state
    if (!failed.includes(tool)) failed.push(tool)
    await this.called(tool, args, 'failed', { error: oneLine(why) }, { startedAt })
  }

  async refused(
    tool: string,
    args: JsonValue,
    code: string,
    note: string,
    more: { [key: string]: JsonValue } = {},
  ): Promise<void> {
    await this.called(tool, args, 'refused', { code, note, ...more })
  }

  /** What the model said was no call. `problem` repeats nothing of it. */
  mistaken(problem: string): void {
    this.state.turns.push({ call: null, status: 'failed', result: { error: problem }, pictures: [] })
  }

  async trace(entry: TraceEntry): Promise<void> {
    this.state.trace.push(entry)
    await this.#ports.onTrace?.(entry)
  }

  /** The answer to the same call. What failed may be tried again. */
  answerTo(tool: string, args: JsonValue): Turn | undefined {
    const key = callKey(tool, args)
    return this.state.turns.find(
      ({ call, status }) => status === 'ok' && call !== null && callKey(call.tool, call.args) === key,
    )
  }

  /** Whether that very call was refused before. */
  wasRefused(tool: string, args: JsonValue): boolean {
    const key = callKey(tool, args)
    return this.state.turns.some(
      ({ call, status }) => status === 'refused' && call !== null && callKey(call.tool, call.args) === key,
    )
  }

  /** The conversation so far: it only ever grows at its end, so that a model need not read it anew. */
  messages(): ChatMessage[] {
    return this.#conversation(this.state.turns)
  }

  #conversation(turns: readonly Turn[]): ChatMessage[] {
    const { spec, input } = this.state
    const first = opening(spec, input, this.known, this.#ports.tools.offered, this.#room)
    const shown = (turn: Turn) => (this.#model.sees ? (this.#pictures.get(turn) ?? []) : [])
    return [...first, ...turns.flatMap(turn => turnMessages(turn, shown(turn)))]
  }

  /** After a restart: pictures that are gone are lacked. */
  async loadPictures(): Promise<void> {
    if (!this.#model.sees) return
    for (const turn of this.state.turns) {
      const found: Picture[] = []
      for (const ref of turn.pictures) {
        const picture = ref === null ? null : await this.#ports.picture?.(ref).catch(() => null)
        if (picture) found.push(picture)
        else this.state.lostPicture = true
      }
      this.#pictures.set(turn, found)
    }
  }

  decision(decision: string, reason: string): Decision {
    const { trace, seen, spec } = this.state
    const fields = Object.keys(spec.fields).map(name => [name, this.known[name] ?? null])
    return {
      decision,
      fields: Object.fromEntries(fields),
      reason: oneLine(reason),
      confidence: null,
      confidenceSource: null,
      selfReported: null,
      unsureReason: null,
      rule: null,
      evidence: { pictures: seen.map(({ ref, seen }, index) => ({ index, seen, ref })) },
      trace: [...trace],
      usage: usageOf(trace, this.ms),
      model: this.#model.name,
    }
  }
}
