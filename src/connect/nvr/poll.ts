import type { Clock } from '../../core/index.ts'

/** The wait after the first failure, doubled with each one that follows. */
const FIRST_MS = 2_000
const LONGEST_MS = 30_000

/** Asks something again and again, one at a time; somebody who is away is asked after 2 s, 4 s … 30 s. */
export class Poll {
  readonly #clock: Clock
  readonly #everyMs: number
  readonly #ask: (signal: AbortSignal) => Promise<void>
  #stopped: AbortController | null = null
  #cancel: (() => void) | null = null
  #asking: Promise<void> | null = null
  #failures = 0
  #again = false

  /** `ask` rejects where it was not to be learnt. */
  constructor(clock: Clock, everyMs: number, ask: (signal: AbortSignal) => Promise<void>) {
    this.#clock = clock
    this.#everyMs = everyMs
    this.#ask = ask
  }

  /** Begins at once, and waits for nothing. */
  start(): void {
    this.#stopped ??= new AbortController()
    this.#failures = 0
    this.#go()
  }

  /** What is being asked is not waited for any longer. */
  async stop(): Promise<void> {
    this.#stopped?.abort()
    this.#stopped = null
    this.#cancel?.()
    await this.#asking
  }

  /** Asks at once, or once more behind what is being asked. */
  now(): void {
    if (!this.#stopped) return
    this.#again = this.#asking !== null
    if (!this.#asking) this.#go()
  }

  #go(): void {
    const stopped = this.#stopped
    if (!stopped || this.#asking) return
    this.#cancel?.()
    this.#again = false
    this.#asking = this.#ask(stopped.signal)
      .then(
        () => {
          this.#failures = 0
        },
        () => {
          this.#failures++
        },
      )
      .finally(() => {
        this.#asking = null
        if (this.#again) this.#go()
        else if (this.#stopped) this.#rest()
      })
  }

  #rest(): void {
    const wait = Math.min(FIRST_MS * 2 ** (this.#failures - 1), LONGEST_MS)
    this.#cancel = this.#clock.after(this.#failures > 0 ? wait : this.#everyMs, () => this.#go())
  }
}
