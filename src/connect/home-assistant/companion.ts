import { type Bus, type Clock, cut, type JsonValue, type Log, messageOf } from '../../core/index.ts'
import type { ApprovalView, EngineApi, EngineTopics } from '../../engine/index.ts'
import type { Home } from '../../kinds/index.ts'
import type { HomeAssistantSetting, Site } from '../../site/index.ts'
import { Backoff } from '../backoff.ts'
import { answerLines } from '../notices/reply-lines.ts'

/** Questions that are put before people at the same time. */
const MOST = 100
const MOST_TEXT = 1_000
/** Telephones show no more. */
const MOST_REPLIES = 10
/** That a question is over is worth a few tries: whoever answers it all the same is told so. */
const CLEAR_TRIES = 3

export interface CompanionOptions {
  site: () => Site
  engine: () => Pick<EngineApi, 'approvals'>
  bus: Bus<EngineTopics>
  home: Pick<Home, 'call'>
  boxId: () => string
  clock: Clock
  log: Log
}

/**
 * Puts questions before people on their telephones, by Home Assistant's companion app, each reply as a button. A button
 * decides nothing here: what it is worth depends on who sends the answer to this box, and with whose token.
 */
export class Companion {
  readonly name = 'Home Assistant questions'
  readonly #options: CompanionOptions
  /** Questions that are on telephones, or on their way there. */
  readonly #asked = new Map<number, Asked>()
  #off: (() => void) | null = null
  #problem: string | null = null
  #crowd = 0

  constructor(options: CompanionOptions) {
    this.#options = options
  }

  get problem(): string | null {
    return this.#problem
  }

  get shed(): Readonly<Record<string, number>> {
    return this.#crowd ? { crowd: this.#crowd } : {}
  }

  async start(): Promise<void> {
    this.#off = this.#options.bus.on('approval', question => this.#heard(question))
    this.#all()
  }

  async reload(): Promise<void> {
    this.#problem = null
    this.#all()
  }

  async stop(): Promise<void> {
    this.#off?.()
    for (const { abort } of this.#asked.values()) abort.abort()
    await Promise.all([...this.#asked.values()].map(({ work }) => work))
    this.#asked.clear()
  }

  /** What is asked already is shown again in place of itself. */
  #all(): void {
    for (const question of this.#options.engine().approvals({ open: true })) this.#heard(question)
  }

  #heard(question: ApprovalView): void {
    const asked = this.#asked.get(question.id)
    if (question.status !== 'open') {
      if (asked) this.#over(question, asked)
      return
    }
    const setting = this.#options.site().homeAssistant
    const services = new Set(question.who.flatMap(who => setting?.ask.get(who) ?? []))
    if (!setting || asked || !services.size) return
    if (this.#asked.size >= MOST) {
      this.#crowd++
      return
    }
    const abort = new AbortController()
    const message = notificationOf(question, setting, this.#options.boxId())
    const until = Date.parse(question.deadline)
    const tag = tagOf(question.id, this.#options.boxId())
    const told = [...services].map(service =>
      this.#tell(service, message, { tag, until, abort, tries: Number.POSITIVE_INFINITY }),
    )
    this.#asked.set(question.id, { services, abort, work: Promise.all(told).then(() => undefined) })
  }

  /** It is taken off the telephones. */
  #over({ id }: ApprovalView, { services, abort, work }: Asked): void {
    abort.abort()
    const clearing = new AbortController()
    const tag = tagOf(id, this.#options.boxId())
    const data = { message: 'clear_notification', data: { tag } }
    const how = { tag, until: Number.POSITIVE_INFINITY, abort: clearing, tries: CLEAR_TRIES }
    const clear = work
      .then(() => Promise.all([...services].map(service => this.#tell(service, data, how))))
      .then(() => {
        if (this.#asked.get(id)?.abort === clearing) this.#asked.delete(id)
      })
    this.#asked.set(id, { services, abort: clearing, work: clear })
  }

  /** Again and again while it is worth it. Never rejects. */
  async #tell(
    service: string,
    data: { [key: string]: JsonValue },
    { tag, until, abort: { signal }, tries }: Telling,
  ): Promise<void> {
    const { home, clock, log } = this.#options
    const backoff = new Backoff(clock)
    const cancel = () => backoff.cancel()
    signal.addEventListener('abort', cancel)
    try {
      for (let n = 0; n < tries && !signal.aborted && clock.now() < until; n++) {
        try {
          await home.call({ service, data, deliveryId: tag, correlationId: tag, signal })
          this.#problem = null
          return
        } catch (error) {
          if (signal.aborted) return
          this.#problem = `${service} was not told of a question: ${messageOf(error)}`
          log.warn({ service, error: messageOf(error) }, 'a question could not be put before somebody')
          await backoff.wait()
        }
      }
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
}

interface Telling {
  tag: string
  /** Epoch ms. */
  until: number
  abort: AbortController
  tries: number
}

interface Asked {
  services: ReadonlySet<string>
  abort: AbortController
  work: Promise<void>
}

function tagOf(id: number, boxId: string): string {
  return `gatehouse-${boxId}-question-${id}`
}

/** As the companion app takes it. What is pressed comes back as `GATEHOUSE:<box>:<question>:<reply>`. */
function notificationOf(
  { id, workflow, message, camera_name: camera, replies }: ApprovalView,
  { page }: HomeAssistantSetting,
  boxId: string,
): { [key: string]: JsonValue } {
  const actions = replies.slice(0, MOST_REPLIES).map(({ reply, effects }) => ({
    action: `GATEHOUSE:${boxId}:${id}:${reply}`,
    title: reply,
    // A telephone that somebody left lying opens nothing.
    ...(effects.some(({ effect }) => effect === 'move') && {
      authenticationRequired: true,
      destructive: true,
    }),
  }))
  return {
    title: cut(camera === null ? workflow.name : `${workflow.name}, ${camera}`, 200),
    // Buttons hold a word or two: what they set going stands above them.
    message: [
      cut(message, MOST_TEXT),
      ...answerLines(replies.filter(({ effects }) => effects.length > 0)),
    ].join('\n'),
    data: {
      tag: tagOf(id, boxId),
      ...{ sticky: 'true', alert_once: true },
      ...(page !== null && { url: page, clickAction: page }),
      actions,
    },
  }
}
