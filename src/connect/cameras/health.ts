import { type Clock, messageOf } from '../../core/index.ts'
import { offline } from './offline.ts'

/** How long after each failure in a row a camera is asked again; the last one holds on. */
const AGAIN_MS = [2_000, 4_000, 8_000, 16_000, 30_000]

/** How a camera is, as far as it was asked. Times in epoch ms. */
export interface CameraCondition {
  lastFrameAt: number | null
  /** Why it gave no picture when it was last asked, in one line; null: it gave one, or was not asked. */
  problem: string | null
  /** Since when every try has failed. */
  offlineSince: number | null
  /** How long it took to be reached; null: nothing answered. Absent: it was not tried, or has no address. */
  pingMs?: number | null
}

/** What is remembered of one camera, and when it may be asked again after it failed. */
export class CameraState {
  readonly #clock: Clock
  #condition: CameraCondition = { lastFrameAt: null, problem: null, offlineSince: null }
  #failures = 0
  #againAt = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get condition(): Readonly<CameraCondition> {
    return this.#condition
  }

  /** Until when it is not asked (epoch ms); 0: it may be asked. */
  get restsUntil(): number {
    return this.#failures && this.#clock.now() < this.#againAt ? this.#againAt : 0
  }

  /** Throws `camera_offline` where it failed a moment ago: nobody has to wait to hear the same again. */
  assertRested(): void {
    if (!this.restsUntil) return
    const seconds = Math.ceil((this.restsUntil - this.#clock.now()) / 1000)
    throw offline(`${this.#condition.problem} It is asked again in ${seconds} s.`)
  }

  gave(): void {
    this.#failures = 0
    this.#condition = {
      ...this.#condition,
      lastFrameAt: this.#clock.now(),
      problem: null,
      offlineSince: null,
    }
  }

  failed(error: unknown): void {
    const now = this.#clock.now()
    this.#againAt = now + (AGAIN_MS[Math.min(this.#failures, AGAIN_MS.length - 1)] ?? 0)
    this.#failures++
    const offlineSince = this.#condition.offlineSince ?? now
    this.#condition = { ...this.#condition, problem: messageOf(error), offlineSince }
  }

  pinged(pingMs: number | null): void {
    this.#condition = { ...this.#condition, pingMs }
  }

  /** It was offline before this process began, and nothing has been heard of it since. */
  wasOffline(since: number): void {
    if (this.#condition.lastFrameAt === null)
      this.#condition = {
        ...this.#condition,
        offlineSince: Math.min(since, this.#condition.offlineSince ?? since),
      }
  }
}
