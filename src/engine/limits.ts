import { type Limits as FileLimits, parseDuration } from '../contract/index.ts'

const HOUR_MS = 3_600_000
/** A clock may be adjusted by this much without anything being forgotten. */
const SKEW_MS = 60_000

/** Times of the last hour, to hold a rate. */
export class HourWindow {
  readonly #most: number
  #times: number[] = []
  /** Times before this index are older than an hour; they are cut off now and then. */
  #from = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Whether one more fits at `now` (epoch ms). */
  hasRoom(now: number): boolean {
    return this.count(now) < this.#most
  }

  /** How many there are in the hour before `now`. */
  count(now: number): number {
    // The clock was set back: what is counted lies in the future and would block for as long.
    if ((this.#times.at(-1) ?? 0) > now + SKEW_MS) {
      this.#times = []
      this.#from = 0
    }
    while (this.#from < this.#times.length && (this.#times[this.#from] ?? 0) <= now - HOUR_MS) this.#from++
    if (this.#from > 1024 && this.#from * 2 > this.#times.length) {
      this.#times = this.#times.slice(this.#from)
      this.#from = 0
    }
    return this.#times.length - this.#from
  }

  add(at: number): void {
    this.#times.push(at)
  }

  /** Takes back the latest: what was counted did not begin after all. */
  takeBack(): void {
    this.#times.pop()
  }
}

/** What a workflow's limits allow, counted from the runs that are in the database and those that began since. */
export class Limits {
  readonly cooldownMs: number
  readonly oneAtATime: 'camera' | 'plate' | 'track'
  readonly perHour: number
  readonly aiPerHour: number
  readonly runs: HourWindow
  readonly ai: HourWindow
  readonly #lastStart = new Map<string, number>()
  readonly #siteFull: (now: number) => string | null

  /** `siteFull`: why all workflows of the site together may not ask AI any more, or null. */
  constructor(limits: FileLimits, siteFull: (now: number) => string | null = () => null) {
    this.#siteFull = siteFull
    this.cooldownMs = parseDuration(limits.cooldown ?? '1m') ?? 60_000
    this.oneAtATime = limits.one_at_a_time ?? 'camera'
    this.perHour = limits.per_hour ?? 30
    this.aiPerHour = limits.ai_per_hour ?? 60
    this.runs = new HourWindow(this.perHour)
    this.ai = new HourWindow(this.aiPerHour)
  }

  /** Why AI is not asked once more at `now`, in words; null: it is. */
  aiFull(now: number): string | null {
    return this.ai.hasRoom(now) ? this.#siteFull(now) : `more than ${this.aiPerHour} AI calls in an hour`
  }

  /** How far back the database matters at `now`. */
  since(now: number): number {
    return now - Math.max(HOUR_MS, this.cooldownMs)
  }

  /** Milliseconds until the camera's cooldown is over; 0 when it is. No camera: the workflow's own. */
  cooldownLeft(cameraId: string | null, now: number): number {
    const last = this.#lastStart.get(cameraId ?? '')
    if (last === undefined || last > now + SKEW_MS) return 0
    return Math.max(0, last + this.cooldownMs - now)
  }

  /** A run began; the returned function takes it back. */
  began(cameraId: string | null, at: number): () => void {
    const key = cameraId ?? ''
    const before = this.#lastStart.get(key)
    if (this.cooldownMs > 0) this.#remember(key, at)
    this.runs.add(at)
    return () => {
      if (before === undefined) this.#lastStart.delete(key)
      else this.#lastStart.set(key, before)
      this.runs.takeBack()
    }
  }

  /** In the order of their starts, so that what has cooled down is at the front and can go. */
  #remember(key: string, at: number): void {
    this.#lastStart.delete(key)
    this.#lastStart.set(key, at)
    for (const [first, started] of this.#lastStart) {
      if (started > at - this.cooldownMs) break
      this.#lastStart.delete(first)
    }
  }
}
