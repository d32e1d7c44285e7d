import type { Clock } from '../core/index.ts'
import type { DueRow, Store } from '../store/index.ts'

/** Timers do not reach further than this; the rows do. */
const LONGEST_MS = 24 * 3_600_000
/** What is due and is already being done is looked at again after this. */
const AGAIN_MS = 1_000
/** Rows that are read at a time. */
const PAGE = 100

/** Rings for the rows of `due`: the promise is the row, this only wakes somebody who keeps it. */
export class AlarmClock {
  readonly #store: Store
  readonly #clock: Clock
  readonly #ring: (row: DueRow) => void
  #cancel: (() => void) | null = null
  #open = false

  constructor(store: Store, clock: Clock, ring: (row: DueRow) => void) {
    this.#store = store
    this.#clock = clock
    this.#ring = ring
  }

  start(): void {
    this.#open = true
    this.set()
  }

  stop(): void {
    this.#open = false
    this.#cancel?.()
  }

  /** Sets itself to the earliest row: call after rows came or went. */
  set(least = 0): void {
    this.#cancel?.()
    this.#cancel = null
    if (!this.#open) return
    const at = this.#store.due.earliest()
    if (at === null) return
    const ms = Math.min(LONGEST_MS, Math.max(least, at - this.#clock.now()))
    this.#cancel = this.#clock.after(ms, () => {
      this.#ringAll(this.#clock.now())
      this.set(AGAIN_MS)
    })
  }

  /** All that is due: what is being done already must not hide what is behind it. */
  #ringAll(now: number): void {
    for (let last: DueRow | null = null, rows: DueRow[]; ; last = rows.at(-1) ?? null) {
      rows = this.#store.due.next(now, PAGE, last)
      for (const row of rows) this.#ring(row)
      if (rows.length < PAGE) return
    }
  }
}
