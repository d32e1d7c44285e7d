import type { Clock } from '../core/index.ts'

const FIRST_MS = 2_000
const LONGEST_MS = 30_000
/** What held for so long was well: the next try comes soon again. */
const WELL_MS = 30_000

/** Waits between tries to reach somebody: 2 s, then twice as long each time, 30 s at most. */
export class Backoff {
  readonly #clock: Clock
  #next = FIRST_MS
  #cancel: (() => void) | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Resolves when it is time, or at once where it is cancelled. `heldMs`: how long the last try went well. */
  wait(heldMs = 0): Promise<void> {
    if (heldMs >= WELL_MS) this.reset()
    const { promise, resolve } = Promise.withResolvers<void>()
    const stop = this.#clock.after(this.#next, resolve)
    this.#next = Math.min(this.#next * 2, LONGEST_MS)
    this.#cancel = () => {
      stop()
      resolve()
    }
    return promise
  }

  cancel(): void {
    this.#cancel?.()
  }

  reset(): void {
    this.#next = FIRST_MS
  }
}
