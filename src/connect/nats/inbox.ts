import { type Clock, GatehouseError, type IncomingEvent, type Log, messageOf } from '../../core/index.ts'
import type { Admission } from '../../engine/index.ts'
import { parseJson, readEvent } from '../../kinds/index.ts'
import { agrees } from './subjects.ts'

/** A larger message is no event: pictures travel by reference. */
const MOST_BYTES = 1_048_576
/** Messages that are offered to the engine at the same time. */
const AT_ONCE = 64
/** What waits for its turn beyond these; more is left out and counted. */
const MOST_WAITING = 16_384
const MOST_WAITING_BYTES = 33_554_432

export interface InboxOptions {
  clock: Clock
  log: Log
  submit(event: IncomingEvent): Promise<Admission[]>
}

/** What became of messages, since the start. */
export interface InboxCounts {
  received: number
  /** No event could be read from them. */
  malformed: number
  /** They are not what their subject says. */
  mismatched: number
  /** There was no room for them. */
  busy: number
  /** The engine could not take them: its disk failed, or it was stopping. */
  failed: number
}

/** Takes messages as they come, however many, and hands them to the engine a few at a time, in their order. */
export class Inbox {
  readonly #options: InboxOptions
  #waiting: { subject: string; bytes: Uint8Array }[] = []
  /** The first of them that is still waiting. */
  #next = 0
  #waitingBytes = 0
  #working = 0
  #idle: (() => void)[] = []
  readonly counts: InboxCounts = { received: 0, malformed: 0, mismatched: 0, busy: 0, failed: 0 }

  constructor(options: InboxOptions) {
    this.#options = options
  }

  /** Never throws: what is wrong with a message is counted. */
  take(subject: string, bytes: Uint8Array): void {
    this.counts.received++
    if (bytes.length > MOST_BYTES) this.#malformed(subject, `it has ${bytes.length} bytes`)
    else if (this.#working < AT_ONCE) this.#start(subject, bytes)
    else if (this.#hasRoom(bytes)) {
      // A copy: what came is a window into all that came with it.
      this.#waiting.push({ subject, bytes: bytes.slice() })
      this.#waitingBytes += bytes.length
    } else this.counts.busy++
  }

  /** Resolves once nothing waits and nothing is under way. */
  settled(): Promise<void> {
    if (this.#working === 0) return Promise.resolve()
    return new Promise(resolve => this.#idle.push(resolve))
  }

  #hasRoom({ length }: Uint8Array): boolean {
    return (
      this.#waiting.length - this.#next < MOST_WAITING && this.#waitingBytes + length <= MOST_WAITING_BYTES
    )
  }

  #start(subject: string, bytes: Uint8Array): void {
    const event = this.#read(subject, bytes)
    if (!event) return
    this.#working++
    this.#options
      .submit(event)
      .catch(error => {
        this.counts.failed++
        this.#options.log.warn({ subject, error: messageOf(error) }, 'an event was not taken')
      })
      .finally(() => this.#turn())
  }

  /** One is through: the next ones have their turn. */
  #turn(): void {
    this.#working--
    while (this.#working < AT_ONCE && this.#next < this.#waiting.length) {
      const each = this.#waiting[this.#next++]
      if (!each) break
      this.#waitingBytes -= each.bytes.length
      this.#start(each.subject, each.bytes)
    }
    if (this.#next === this.#waiting.length) {
      this.#waiting = []
      this.#next = 0
    }
    if (this.#working > 0) return
    for (const resolve of this.#idle.splice(0)) resolve()
  }

  #read(subject: string, bytes: Uint8Array): IncomingEvent | null {
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
      const event = readEvent(parseJson(text), this.#options.clock.now())
      if (agrees(subject, event)) return event
      this.counts.mismatched++
      this.#options.log.debug({ subject, event: event.id }, 'a message is not what its subject says')
    } catch (error) {
      this.#malformed(subject, error instanceof GatehouseError ? error.message : 'it is not UTF-8')
    }
    return null
  }

  #malformed(subject: string, why: string): void {
    this.counts.malformed++
    this.#options.log.debug({ subject, why }, 'a message is no event')
  }
}
