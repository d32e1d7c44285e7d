import type { Clock } from './clock.ts'

/** A machine whose clock says less than this was never told the time: there was no such program then. */
const RELEASED = Date.UTC(2026, 0, 1)
/** Less than this is a clock that is being corrected, not one that leaps. */
const LEAP_MS = 30_000
/** So soon after a start a leap means that the clock has been set, and was wrong from the start. */
const EARLY_MS = 10 * 60_000
/** How often it is looked whether the clock has leapt, should nobody ask for the time. */
const LOOK_MS = 5_000

/** The machine's clock says another time than goes on from before. */
export interface Leap {
  /** By how much; negative: back. */
  ms: number
  /** The clock was wrong since the start, so that what is older than the start is right. */
  sinceStart: boolean
  /** From here on `now` is what the machine's clock says. To be called in the commit that moves what has to move. */
  adopt(): void
}

/** The machine: what its clock says, and a count of milliseconds that never leaps. */
export interface Machine {
  wall(): number
  steady(): number
}

const machine: Machine = { wall: () => Date.now(), steady: () => performance.now() }

/**
 * The machine's clock, but for its leaps: time goes on evenly until whoever listens has moved the times that were
 * promised, and adopts the leap. On a machine that does not know the time (no battery, no network yet) it goes on from the
 * last time that this box is known to have seen.
 */
export class SteadyClock implements Clock {
  readonly #machine: Machine
  #began: number
  /** A time, and the count at which it was. */
  #at: number
  #count: number
  #unset = false
  #telling = false
  #onLeap: ((leap: Leap) => Promise<void>) | null = null
  #cancel: () => void = () => {}

  constructor(from: Machine = machine) {
    this.#machine = from
    this.#at = from.wall()
    this.#count = from.steady()
    this.#began = this.#count
  }

  /** Nobody has told the machine the time since it was switched on. */
  get unset(): boolean {
    return this.#unset
  }

  /** `last`: a time that has been (epoch ms). `onLeap`: moves what has to move, and adopts; it is asked again until it does. */
  start(last: number, onLeap: (leap: Leap) => Promise<void>): void {
    this.#onLeap = onLeap
    this.#began = this.#machine.steady()
    if (this.#machine.wall() < RELEASED) {
      this.#unset = true
      this.#at = Math.max(RELEASED, last)
      this.#count = this.#began
    }
    const look = () => {
      this.now()
      this.#cancel = this.after(LOOK_MS, look)
    }
    look()
  }

  stop(): void {
    this.#onLeap = null
    this.#cancel()
  }

  now(): number {
    const wall = this.#machine.wall()
    const count = this.#machine.steady()
    const even = this.#at + (count - this.#count)
    // What cannot be the time is not followed; nobody listens: then it is any clock.
    if (wall < RELEASED && this.#onLeap) return Math.floor(even)
    if (!this.#onLeap || Math.abs(wall - even) < LEAP_MS) {
      this.#follow(wall, count)
      return wall
    }
    this.#tell(wall - even, count)
    return Math.floor(even)
  }

  after(ms: number, callback: () => void): () => void {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  }

  #follow(wall: number, count: number): void {
    this.#at = wall
    this.#count = count
    if (wall >= RELEASED) this.#unset = false
  }

  #tell(ms: number, count: number): void {
    if (this.#telling) return
    this.#telling = true
    const leap = {
      ms: Math.round(ms),
      sinceStart: this.#unset || count - this.#began < EARLY_MS,
      adopt: () => this.#follow(this.#machine.wall(), this.#machine.steady()),
    }
    // Whoever asked for the time is in the middle of something.
    queueMicrotask(() => {
      const told = this.#onLeap?.(leap) ?? Promise.resolve()
      told
        .catch(() => undefined)
        .finally(() => {
          this.#telling = false
        })
    })
  }
}
