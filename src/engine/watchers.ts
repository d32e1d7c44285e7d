import type { Clock } from '../core/index.ts'

/** Whoever waits for a run to end. */
export class Watchers {
  readonly #clock: Clock
  readonly #waiting = new Map<number, Set<() => void>>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Resolves when the run has ended, or after `ms`. */
  async wait(run: number, ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiting = this.#waiting.get(run) ?? new Set()
    this.#waiting.set(run, waiting.add(resolve))
    const cancel = this.#clock.after(ms, resolve)
    await promise
    cancel()
    waiting.delete(resolve)
    if (!waiting.size && this.#waiting.get(run) === waiting) this.#waiting.delete(run)
  }

  /** The run has ended. */
  wake(run: number): void {
    const waiting = this.#waiting.get(run)
    this.#waiting.delete(run)
    for (const resolve of waiting ?? []) resolve()
  }
}
