import type { Clock } from '../../core/index.ts'

interface Timer {
  at: number
  callback: () => void
  cancel: () => void
}

/** A clock that stands at another time, goes on from there, and can be set forward past what is only waited for. */
export class TrialClock implements Clock {
  readonly #real: Clock
  readonly #timers = new Set<Timer>()
  #ahead: number

  constructor(real: Clock, start: number) {
    this.#real = real
    this.#ahead = start - real.now()
  }

  now(): number {
    return this.#real.now() + this.#ahead
  }

  after(ms: number, callback: () => void): () => void {
    const timer: Timer = { at: this.now() + ms, callback, cancel: () => undefined }
    this.#timers.add(timer)
    this.#set(timer)
    return () => {
      timer.cancel()
      this.#timers.delete(timer)
    }
  }

  /** Sets itself forward; what falls due on the way is called in order. */
  skipTo(at: number): void {
    this.#ahead += Math.max(0, at - this.now())
    const due = [...this.#timers].sort((a, b) => a.at - b.at)
    for (const timer of due) {
      timer.cancel()
      if (this.#timers.has(timer)) this.#set(timer)
    }
  }

  #set(timer: Timer): void {
    const left = timer.at - this.now()
    const ring = () => {
      if (this.#timers.delete(timer)) timer.callback()
    }
    if (left <= 0) queueMicrotask(ring)
    else timer.cancel = this.#real.after(left, ring)
  }
}
