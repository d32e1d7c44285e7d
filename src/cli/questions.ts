import { createInterface, type Interface } from 'node:readline'
import { type Workflow, walk } from '../contract/index.ts'
import { type Identified, messageOf } from '../core/index.ts'
import type { ApprovalView, EngineApi } from '../engine/index.ts'
import { WrongUse } from './command.ts'

/** Whoever sits at the terminal, as at the page. */
const HERE: Identified = { by: 'loopback', name: 'this terminal' }

/**
 * The questions of a run in the foreground: each is shown with how long it is open, and is answered by the next of the
 * given answers, else by what is typed where somebody sits at a terminal.
 */
export class Questions {
  readonly #engine: Pick<EngineApi, 'approvals' | 'answer'>
  readonly #answers: string[]
  readonly #shown = new Set<number>()
  #lines: Interface | null = null
  #open: ApprovalView | null = null

  constructor(engine: Pick<EngineApi, 'approvals' | 'answer'>, answers: readonly string[]) {
    this.#engine = engine
    this.#answers = [...answers]
  }

  /** Shows what is asked since the last time. Answers whether a question is open; rejects where an answer is refused. */
  async look(): Promise<boolean> {
    const [open = null] = this.#engine.approvals({ open: true })
    this.#open = open
    if (open === null || this.#shown.has(open.id)) return open !== null
    this.#shown.add(open.id)
    const answer = this.#answers.shift()
    const typed = answer === undefined && process.stdin.isTTY
    say(shown(open, answer === undefined, typed))
    if (answer !== undefined) await this.#answer(open, answer)
    else if (typed) this.#listen()
    return true
  }

  close(): void {
    this.#lines?.close()
  }

  #listen(): void {
    // Not as a terminal of its own: Ctrl-C stays what it is.
    this.#lines ??= createInterface({ input: process.stdin, terminal: false }).on('line', text => {
      const open = this.#open
      if (open === null || text.trim() === '') return
      this.#answer(open, text).catch(error => say(messageOf(error)))
    })
  }

  async #answer({ id, replies }: ApprovalView, text: string): Promise<void> {
    const meant = replies.find(({ reply }) => same(reply, text))
    await this.#engine.answer(id, meant?.reply ?? text.trim(), HERE)
  }
}

/** Answers that no question of the file has are wrong use. */
export function checkAnswers(answers: readonly string[], workflow: Workflow): void {
  const replies: string[] = []
  walk(workflow, ({ step }) => {
    if (step.kind === 'ask_person') replies.push(...(step.params as { replies: string[] }).replies)
  })
  const strange = answers.find(answer => !replies.some(reply => same(reply, answer)))
  if (strange === undefined) return
  const known = [...new Set(replies)].map(reply => `“${reply}”`).join(', ')
  throw new WrongUse(
    known
      ? `--answer “${strange}” is none of the replies of the file: ${known}`
      : '--answer: the file asks nobody',
  )
}

function same(reply: string, text: string): boolean {
  return reply.toLowerCase() === text.trim().toLowerCase()
}

function shown({ who, message, replies, left_ms }: ApprovalView, waits: boolean, typed: boolean): string {
  const lines = replies.map(({ reply, effects, default: counts }) => {
    const moves = effects.filter(({ effect }) => effect === 'move')
    const does = moves.map(({ action, target }) => `${action}${target ? ` to ${target}` : ''}`).join(', ')
    return `  ${reply}: ${does ? `moves ${does}` : 'moves nothing'}${counts ? '; counts if nobody answers' : ''}`
  })
  const how = typed ? 'type a reply and press Enter' : 'give the reply with --answer'
  const open = waits ? [`  open for ${Math.ceil((left_ms ?? 0) / 1000)} s: ${how}`] : []
  return [`asks ${who.join(', ')}: ${message}`, ...lines, ...open].join('\n')
}

/** Beside the trace, which alone goes to stdout. */
function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
