import { type JsonValue, messageOf } from '../../core/index.ts'
import type { Question as Asked } from '../decision/question.ts'
import { LanguageError, type LanguageModel } from '../language.ts'
import { oneLine } from '../reason.ts'
import type { Question, Tool } from '../tools.ts'
import type { Decision, UnsureReason } from '../types.ts'
import { callForm, type ReadCall, readCall } from './call.ts'
import { decideBy } from './decide.ts'
import { Ledger } from './ledger.ts'
import { readResult } from './result.ts'
import { storedState } from './state.ts'
import type { Answer, InvestigatePorts, State, Suspended } from './types.ts'
import { TooLate, within } from './within.ts'

/** The longest that one tool may take. */
const TOOL_MS = 30_000
/** What a model that does not keep its time gets on top before it is given up. */
const GRACE_MS = 2_000
/** Nobody is asked more often than that by one investigation. */
const MOST_QUESTIONS = 3
/** Calls that were answered or refused before; one more ends the phase. */
const MOST_REPEATS = 1
/** Answers to “may it use that tool?”. */
const ALLOW = 'Allow'
const REFUSE = 'Refuse'
/** Of what a trace keeps of an answer. */
const LONGEST_SAID = 500

type Args = { [name: string]: JsonValue }

/** What ends it all, with the reason. */
class Broken extends Error {
  readonly unsureReason: UnsureReason
  constructor(unsureReason: UnsureReason, message: string) {
    super(message)
    this.unsureReason = unsureReason
  }
}

/** One investigation in one process: from its beginning, or from where it waited, to a decision or a question. */
export class Investigation {
  readonly #model: LanguageModel
  readonly #ports: InvestigatePorts
  readonly #ledger: Ledger

  constructor(model: LanguageModel, state: State, ports: InvestigatePorts) {
    this.#model = model
    this.#ports = ports
    this.#ledger = new Ledger(model, state, ports)
  }

  /** From the beginning. */
  async run(): Promise<Decision | Suspended> {
    const { question } = this.#ledger
    if (!question) return this.#decide(null)
    if (!this.#ports.takeCall()) return this.unsure('over_budget', 'the AI calls of this hour are used up')
    return this.#investigate(question, null)
  }

  /** On from a question that somebody answered, or nobody. */
  async resume(answer: Answer): Promise<Decision | Suspended> {
    const { question } = this.#ledger
    if (!question) throw new Error('nobody was asked')
    await this.#ledger.loadPictures()
    return this.#investigate(question, answer)
  }

  unsure(unsureReason: UnsureReason, reason: string): Decision {
    return { ...this.#ledger.decision('unsure', reason), unsureReason }
  }

  async #investigate(question: Asked, answer: Answer | null): Promise<Decision | Suspended> {
    try {
      if (answer) await this.#answered(answer)
      return (await this.#toolPhase()) ?? (await this.#decide(question))
    } catch (error) {
      if (error instanceof Broken) return this.unsure(error.unsureReason, error.message)
      throw error
    }
  }

  /** What came of the question becomes data like any other. */
  async #answered({ answer, test = false }: Answer): Promise<void> {
    const { pending } = this.#ledger.state
    if (!pending) throw new Error('nobody was asked')
    this.#ledger.state.pending = null
    const { tool: name, args } = pending
    const tool = this.#ports.tools.get(name)
    const would = test ? { would_have_asked: true } : {}
    if (!pending.allows) {
      const result = answer === null ? { answer, note: 'nobody answered', ...would } : { answer }
      return this.#ledger.called(name, args, 'ok', result)
    }
    if (answer === ALLOW && tool && tool.mode !== 'unavailable') return this.#use(tool, args)
    if (answer === ALLOW)
      return this.#ledger.refused(name, args, 'unavailable', tool?.why ?? 'it may not be used any more')
    if (answer !== null) return this.#ledger.refused(name, args, 'refused', 'a person refused it')
    return this.#ledger.refused(name, args, 'not_allowed', 'nobody answered whether it may be used', would)
  }

  /** Calls tools until the model has done, a limit is hit, or a person is asked. */
  async #toolPhase(): Promise<Suspended | null> {
    const { offered } = this.#ports.tools
    const form = callForm(offered)
    for (;;) {
      if (this.#ports.signal?.aborted) throw brokenOff()
      if (!offered.length || (await this.#ledger.isSpent())) return null
      const call = await this.#call(form)
      if (call === null || call.is === 'finish') return null
      if (call.is === 'malformed') {
        if (this.#ledger.state.malformed++ >= 1) {
          await this.#ledger.hit('malformed_calls', 2)
          return null
        }
        this.#ledger.mistaken(call.problem)
      } else if (call.is === 'unlisted') {
        const again = this.#ledger.wasRefused(call.name, call.args)
        const names = offered.map(({ name }) => name).join(', ')
        await this.#ledger.refused(
          call.name,
          call.args,
          'unlisted',
          `there is no such tool here, only ${names}`,
        )
        if (again && this.#ledger.state.repeats++ >= MOST_REPEATS) return null
      } else {
        const came = await this.#listed(call.tool, call.args)
        if (came === 'over') return null
        if (came !== 'on') return came
      }
    }
  }

  /** A call of a tool that the step has. */
  async #listed(tool: Tool, args: Args): Promise<Suspended | 'on' | 'over'> {
    if (tool.mode === 'unavailable') {
      await this.#ledger.refused(tool.name, args, 'unavailable', tool.why ?? 'it may not be used here')
      return 'on'
    }
    const before = this.#ledger.answerTo(tool.name, args)
    if (before) {
      const note = 'this was asked and answered before: ask for something else, or finish'
      await this.#ledger.refused(tool.name, args, 'repeated', note, { answer: before.result })
      return this.#ledger.state.repeats++ >= MOST_REPEATS ? 'over' : 'on'
    }
    if (tool.effect === 'ask_person' || tool.mode === 'ask') return this.#ask(tool, args)
    await this.#use(tool, args)
    return 'on'
  }

  /** One call of the model; null: its time was up. */
  async #call(form: ReturnType<typeof callForm>): Promise<ReadCall | null> {
    const { tools, now, signal } = this.#ports
    const { used, spec } = this.#ledger.state
    const timeoutMs = this.#ledger.toolMsLeft
    const startedAt = now()
    used.modelCalls++
    const entry = (status: 'ok' | 'failed', result: { [key: string]: JsonValue }, tokens = {}) =>
      this.#ledger.trace({
        ...{ kind: 'model', name: this.#model.name, startedAt, ms: now() - startedAt, status },
        ...{ result: { phase: 'tools', ...result }, ...tokens },
      })
    let said: Awaited<ReturnType<LanguageModel['chat']>>
    try {
      said = await within(timeoutMs + GRACE_MS, this.#ports, stop =>
        this.#model.chat({
          ...{ messages: this.#ledger.messages(), schema: form.schema, grammar: form.grammar },
          ...{ temperature: 0, seed: used.modelCalls, maxTokens: form.maxTokens, timeoutMs, signal: stop },
        }),
      )
    } catch (error) {
      if (signal?.aborted) throw brokenOff()
      const failure =
        error instanceof LanguageError ? error.failure : error instanceof TooLate ? 'timeout' : 'down'
      await entry('failed', { failure, message: messageOf(error) })
      if (failure === 'malformed') return { is: 'malformed', problem: 'it was not whole' }
      if (failure === 'aborted') throw brokenOff()
      if (failure !== 'timeout') throw new Broken('llm_down', messageOf(error))
      await this.#ledger.hit('seconds', Math.round(spec.limits.ms / 1000))
      return null
    }
    const { text, tokensIn, tokensOut } = said
    this.#ledger.state.lastTokens = tokensIn + tokensOut
    used.tokens += tokensIn + tokensOut
    const call = readCall(text, name => tools.get(name))
    const wrong = call.is === 'malformed' ? { problem: call.problem } : {}
    const answer = text.slice(0, LONGEST_SAID).toWellFormed()
    await entry(call.is === 'malformed' ? 'failed' : 'ok', { answer, ...wrong }, { tokensIn, tokensOut })
    return call
  }

  /** Has people asked: what the tool wants to know, or whether it may be used. */
  async #ask(tool: Tool, args: Args): Promise<Suspended | 'on'> {
    const { state } = this.#ledger
    if (state.used.questions >= MOST_QUESTIONS) {
      await this.#ledger.refused(tool.name, args, 'asked_enough', 'people were asked often enough')
      return 'on'
    }
    const allows = tool.effect === 'read'
    let question: Question = { message: allowText(tool.name, args), replies: [ALLOW, REFUSE], role: null }
    if (!allows) {
      state.used.toolCalls++
      const made = await this.#handled(tool, args)
      if (!('ask' in made)) {
        const why = 'problem' in made ? made.problem : 'it asked nothing'
        await this.#ledger.failed(tool.name, args, why, made.startedAt)
        return 'on'
      }
      question = made.ask
    }
    const { message, replies, role } = question
    const suspended = { message, replies: [...replies], role }
    state.used.questions++
    await this.#ledger.called(tool.name, args, 'suspended', suspended)
    state.pending = { tool: tool.name, args, allows }
    state.used.ms = this.#ledger.ms
    return { suspended, state: storedState(state) }
  }

  /** Uses a tool, and takes in what it answers. */
  async #use(tool: Tool, args: Args): Promise<void> {
    const { state } = this.#ledger
    state.used.toolCalls++
    const made = await this.#handled(tool, args)
    const { startedAt } = made
    if ('problem' in made) return this.#ledger.failed(tool.name, args, made.problem, startedAt)
    if ('ask' in made)
      return this.#ledger.failed(tool.name, args, 'it reads, and may not ask anybody', startedAt)
    state.failed = state.failed.filter(name => name !== tool.name)
    await this.#ledger.called(tool.name, args, 'ok', made.result, { startedAt, pictures: made.pictures })
  }

  /** Has the handler at work, at most for its time. Rejects only where all is broken off. */
  async #handled(tool: Tool, args: Args) {
    const startedAt = this.#ports.now()
    const ms = Math.max(1, Math.min(TOOL_MS, this.#ledger.toolMsLeft))
    try {
      const answer = await within(ms, this.#ports, signal => tool.call(args, { signal }))
      if ('ask' in answer) return { ask: answer.ask, startedAt }
      const read = readResult(answer.result)
      if (!read.ok) return { problem: read.problem, startedAt }
      return { result: read.result, pictures: answer.pictures ?? [], startedAt }
    } catch (error) {
      if (this.#ports.signal?.aborted) throw brokenOff()
      return { problem: messageOf(error) || 'it failed', startedAt }
    }
  }

  #decide(question: Asked | null): Promise<Decision> {
    const ledger = this.#ledger
    const { spec, used } = ledger.state
    return decideBy({
      language: this.#model,
      spec,
      question,
      known: ledger.known,
      lacks: ledger.lacks,
      conversation: () => ledger.messages(),
      msLeft: spec.limits.ms - ledger.ms,
      tokensLeft: spec.limits.tokens - used.tokens,
      ports: this.#ports,
      trace: entry => ledger.trace(entry),
      make: (decision, reason, rest) => ({ ...ledger.decision(decision, reason), ...rest }),
    })
  }
}

function brokenOff(): Broken {
  return new Broken('over_budget', 'the investigation was broken off')
}

function allowText(tool: string, args: Args): string {
  const told = Object.entries(args).map(([name, value]) => `${name}: ${oneLine(String(value), 80)}`)
  return `May the AI use ${tool}${told.length ? ` (${told.join(', ')})` : ''}?`
}
