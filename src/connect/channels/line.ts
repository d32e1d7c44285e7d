import { type Clock, GatehouseError, messageOf } from '../../core/index.ts'
import type { Channel } from '../../site/index.ts'
import { Turns } from '../turns.ts'
import type { ChannelDriver } from './driver.ts'
import type { Message } from './message.ts'

/** How long after each failure in a row nothing is tried; the last one holds on. */
const AGAIN_MS = [2_000, 4_000, 8_000, 16_000, 30_000]
/** More addresses of one channel do not wait for their turn. */
const MOST_WAITING = 1_000

/**
 * A channel as it is set: one message after the other, and none for a moment where nothing gets through. Whoever has a
 * wrong password does not knock for each of the people who wait.
 */
export class ChannelLine {
  readonly channel: Channel
  /** Why nothing gets through, in one line; null: it did, or nothing was tried. */
  problem: string | null = null
  readonly #driver: ChannelDriver
  readonly #clock: Clock
  readonly #onUp: () => void
  readonly #turns = new Turns(1, MOST_WAITING)
  #failures = 0
  #restsUntil = 0

  /** `onUp`: it works again, and what waited may be tried. */
  constructor(channel: Channel, driver: ChannelDriver, clock: Clock, onUp: () => void) {
    this.channel = channel
    this.#driver = driver
    this.#clock = clock
    this.#onUp = onUp
  }

  /** Rejects as the driver does, and with `channel_rests`. `now`: also where it rests. */
  send(message: Message, at: string | null, signal: AbortSignal, now = false): Promise<void> {
    return this.#turns.take(signal, async () => {
      if (!now && this.#clock.now() < this.#restsUntil)
        throw new GatehouseError('channel_rests', this.problem ?? 'It failed a moment ago.', { status: 503 })
      try {
        await this.#driver.send(message, at, signal)
      } catch (error) {
        const code = error instanceof GatehouseError ? error.code : ''
        if (code === 'never_told' || code === 'held_up') this.#worked()
        else if (!signal.aborted || code) this.#failed(error)
        throw error
      }
      this.#worked()
    })
  }

  #worked(): void {
    const was = this.#failures > 0
    this.#failures = 0
    this.#restsUntil = 0
    this.problem = null
    if (was) this.#onUp()
  }

  #failed(error: unknown): void {
    this.#restsUntil = this.#clock.now() + (AGAIN_MS[Math.min(this.#failures, AGAIN_MS.length - 1)] ?? 0)
    this.#failures++
    const { name } = this.channel
    const why = messageOf(error)
    this.problem = why.startsWith(`channels.${name}`) ? why : `channels.${name}: ${why}`
  }
}
