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

/** What a stream adds to a message that it keeps. */
export interface Stored {
  /** When it was stored there (epoch ms). */
  at: number
  /** The same at every delivery, for a message that bears no id of its own. */
  id: string
  /** Called once: it is settled here, or (`again`) there was no room for it and it should come once more. */
  done(again: boolean): void
}

interface Message {
  subject: string
  bytes: Uint8Array
  stored: Stored | null
}

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
  #waiting: Message[] = []
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
  take(subject: string, bytes: Uint8Array, stored: Stored | null = null): void {
    this.counts.received++
    if (bytes.length > MOST_BYTES) {
      this.#malformed(subject, `it has ${bytes.length} bytes`)
      stored?.done(false)
    } else if (this.#working < AT_ONCE) this.#start({ subject, bytes, stored })
    else if (this.#hasRoom(bytes)) {
      // A copy: what came is a window into all that came with it.
      this.#waiting.push({ subject, bytes: bytes.slice(), stored })
      this.#waitingBytes += bytes.length
    } else {
      this.counts.busy++
      stored?.done(true)
    }
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

  #start(message: Message): void {
    const event = this.#read(message)
    if (!event) message.stored?.done(false)
    else {
      this.#working++
      this.#offer(event)
        .then(again => message.stored?.done(again))
        .finally(() => this.#turn())
    }
  }

  /** Resolves once what follows from the event is on the disk; with true where there was no room for it. */
  async #offer(event: IncomingEvent): Promise<boolean> {
    try {
      const admissions = await this.#options.submit(event)
      return admissions.some(({ reason }) => reason?.code === 'queue_full' || reason?.code === 'disk_low')
    } catch (error) {
      this.counts.failed++
      this.#options.log.warn({ event: event.id, error: messageOf(error) }, 'an event was not taken')
      return true
    }
  }

  /** One is through: the next ones have their turn. */
  #turn(): void {
    this.#working--
    while (this.#working < AT_ONCE && this.#next < this.#waiting.length) {
      const each = this.#waiting[this.#next++]
      if (!each) break
      this.#waitingBytes -= each.bytes.length
      this.#start(each)
    }
    if (this.#next === this.#waiting.length) {
      this.#waiting = []
      this.#next = 0
    }
    if (this.#working > 0) return
    for (const resolve of this.#idle.splice(0)) resolve()
  }

  #read({ subject, bytes, stored }: Message): IncomingEvent | null {
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
      const event = stored
        ? this.#readStored(text, stored)
        : readEvent(parseJson(text), this.#options.clock.now())
      if (agrees(subject, event)) return event
      this.counts.mismatched++
      this.#options.log.debug({ subject, event: event.id }, 'a message is not what its subject says')
    } catch (error) {
      this.#malformed(subject, error instanceof GatehouseError ? error.message : 'it is not UTF-8')
    }
    return null
  }

  /** One that says neither when nor which is dated and named by the stream: delivered again it is the same. */
  #readStored(text: string, { at, id }: Stored): IncomingEvent {
    const now = Math.min(at, this.#options.clock.now())
    return readEvent(parseJson(text), now, null, prefix => `${prefix}_${id}`)
  }

  #malformed(subject: string, why: string): void {
    this.counts.malformed++
    this.#options.log.debug({ subject, why }, 'a message is no event')
  }
}
