/** Time, from one place: tests turn it by hand, the site's zone is applied by whoever shows it. */
export interface Clock {
  /** Milliseconds since the epoch, UTC. */
  now(): number
  /** Calls back once after `ms`; the returned function cancels. Never used to keep a promise: rows do that. */
  after(ms: number, callback: () => void): () => void
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}

/** A clock that stands still until `advance`; callbacks fall due in order. */
export class ManualClock implements Clock {
  #now: number
  #timers: { at: number; callback: () => void }[] = []

  constructor(start = Date.UTC(2026, 0, 5, 12)) {
    this.#now = start
  }

  now(): number {
    return this.#now
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + ms, callback }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter(other => other !== timer)
    }
  }

  /** Moves time forward by `ms`, calling what falls due on the way. */
  advance(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const next = this.#timers.filter(timer => timer.at <= end).sort((a, b) => a.at - b.at)[0]
      if (!next) break
      this.#timers = this.#timers.filter(timer => timer !== next)
      this.#now = Math.max(this.#now, next.at)
      next.callback()
    }
    this.#now = end
  }

  /** The clock is set by `ms`, forward or back; what was to be called back after a while still is after that while. */
  leap(ms: number): void {
    this.#now += ms
    this.#timers = this.#timers.map(timer => Object.assign(timer, { at: timer.at + ms }))
  }
}
