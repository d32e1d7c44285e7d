import { messageOf } from '../../core/index.ts'
import type { KeptRun } from '../../store/index.ts'
import type { EngineDeps } from '../ports.ts'

const DAY_MS = 24 * 3_600_000
/** A first sweep soon after the start, then at this interval. */
const FIRST_MS = 60_000
const EVERY_MS = 10 * 60_000
/**
 * A clock that leaps may be wrong, as may the one that a box starts with: nothing goes for its age until it has gone
 * on evenly for this long.
 */
const EVEN_MS = 3_600_000
const LEAP_MS = 60_000
/** Rows that one turn reads or deletes: few enough that a run at work does not notice. */
const RUNS_READ = 100
const RUNS_DELETED = 20
const ROWS = 500

/** Why a run is kept, from the first to be given up to the last. */
const CLASSES = ['dull', 'failed', 'acted', 'marked'] as const
type Class = (typeof CLASSES)[number]

export interface KeepOptions {
  /** Days that a run is kept after its end. What is of two kinds is kept for the longer time. */
  days?: Partial<Record<Class, number>>
  /** Days that events are remembered. */
  eventDays?: number
  /** Bytes that runs and their pictures may take; default half of the disk. */
  maxBytes?: number
  /** Free bytes on the disk under which no new work is taken; default 256 MB. */
  minFreeBytes?: number
  /** Rest between two turns of deleting, ms; default 20. */
  restMs?: number
}

const DAYS: Record<Class, number> = { dull: 30, failed: 90, acted: 180, marked: 365 }

/**
 * Deletes what is old, in small pieces between the turns of the engine: runs by what they were, with their pictures,
 * events, and the box's own notices. Over the cap dull runs go first, the oldest before the others, and before any
 * that acted, failed or was marked.
 */
export class Retention {
  readonly #deps: EngineDeps
  #options: KeepOptions = {}
  #days = DAYS
  #cancel: (() => void) | null = null
  #sweeping: Promise<void> | null = null
  /** Ends a rest before its time. */
  #wake: (() => void) | null = null
  #open = false
  #evenSince = 0
  /** Of the last sweep. */
  #bytes: number | null = null

  constructor(deps: EngineDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#open = true
    this.#evenSince = this.#deps.clock.now()
    this.#schedule(FIRST_MS)
  }

  async stop(): Promise<void> {
    this.#open = false
    this.#cancel?.()
    this.#wake?.()
    await this.#sweeping
  }

  /** Bytes that runs and pictures took when that was last looked at; null: not yet. */
  get bytes(): number | null {
    return this.#bytes
  }

  #schedule(ms: number): void {
    const { clock } = this.#deps
    const due = clock.now() + ms
    this.#cancel = clock.after(ms, () => {
      const now = clock.now()
      if (Math.abs(now - due) > LEAP_MS) this.#evenSince = now
      this.sweep(now - this.#evenSince >= EVEN_MS)
        .catch(error => this.#deps.log.error({ error: messageOf(error) }, 'what is old could not be deleted'))
        .finally(() => {
          if (this.#open) this.#schedule(EVERY_MS)
        })
    })
  }

  /** Once through everything; one at a time. `byAge`: what is old goes, not only what is over the cap. */
  sweep(byAge = true): Promise<void> {
    this.#sweeping ??= this.#sweep(byAge).finally(() => {
      this.#sweeping = null
    })
    return this.#sweeping
  }

  async #sweep(byAge: boolean): Promise<void> {
    const { store, clock } = this.#deps
    const { keep: given } = this.#deps.options ?? {}
    this.#options = { ...this.#deps.keep?.(), ...given }
    this.#days = { ...DAYS, ...this.#options.days }
    const most = await this.#most()
    let pictures = 0
    const isOver = () => store.retention.databaseBytes() + pictures > most
    if (byAge) await this.#old(clock.now())
    pictures = await this.#pictureBytes()
    for (const give of CLASSES) {
      if (!isOver()) break
      await this.#runs(
        run => last(classesOf(run)) === give,
        async () => {
          if (store.retention.databaseBytes() > most) return true
          pictures = await this.#pictureBytes()
          return isOver()
        },
      )
    }
    await this.#strays()
    this.#bytes = store.retention.databaseBytes() + (await this.#pictureBytes())
  }

  async #old(now: number): Promise<void> {
    const { store } = this.#deps
    // Runs are numbered as they come: one that bears an older date than those before it had a wrong clock.
    let latest = 0
    const isOld = (run: KeptRun) => {
      if (run.startedAt <= now) latest = Math.max(latest, run.startedAt)
      return now - Math.max(run.endedAt, latest) > this.#longest(run) * DAY_MS
    }
    await this.#runs(isOld, () => true)
    await this.#events(now - (this.#options.eventDays ?? this.#days.dull) * DAY_MS)
    const said = store.retention.oldNotices(now - this.#days.failed * DAY_MS)
    if (said.length) await store.write(() => store.retention.forgetNotices(said))
  }

  async #most(): Promise<number> {
    const { maxBytes } = this.#options
    return maxBytes ?? ((await this.#deps.disk?.())?.total ?? Infinity) / 2
  }

  /** Deletes the runs that `which` picks, oldest first, for as long as `goOn` says so. */
  async #runs(which: (run: KeptRun) => boolean, goOn: () => boolean | Promise<boolean>): Promise<void> {
    const { store } = this.#deps
    for (let after = 0; this.#open; ) {
      const { runs, last: end } = store.retention.runs(after, RUNS_READ)
      if (end === null) return
      const ids = runs.filter(which).map(({ id }) => id)
      for (let from = 0; from < ids.length; from += RUNS_DELETED) {
        if (!this.#open || !(await goOn())) return
        await this.#remove(ids.slice(from, from + RUNS_DELETED))
        await this.#rest()
      }
      after = end
      await this.#rest()
    }
  }

  async #events(before: number): Promise<void> {
    const { store } = this.#deps
    while (this.#open) {
      const upTo = store.retention.oldEvents(before, ROWS)
      if (upTo === null) return
      await store.write(() => store.retention.forgetEvents(upTo))
      await this.#rest()
    }
  }

  /** Pictures that no row names: the box stopped between the row and the file, or they were too fresh then. */
  async #strays(): Promise<void> {
    const { store, media } = this.#deps
    media.age()
    let n = 0
    for await (const hash of media.all()) {
      if (!this.#open) return
      if (!store.retention.isWanted(hash)) await media.remove(hash)
      if (++n % ROWS === 0) await this.#rest()
    }
  }

  /** The rows first: a row without its picture would promise what is not there. */
  async #remove(ids: readonly number[]): Promise<void> {
    const { store, media } = this.#deps
    const hashes = await store.write(() => {
      // A repeat, a mark or a message may have come since they were read.
      const { runs } = store.retention.runs((ids[0] ?? 1) - 1, RUNS_READ)
      const free = new Set(runs.map(({ id }) => id))
      return store.retention.remove(ids.filter(id => free.has(id)))
    })
    for (const hash of hashes) if (!store.retention.isWanted(hash)) await media.remove(hash)
  }

  async #pictureBytes(): Promise<number> {
    let sum = 0
    for (let after: number | null = 0; after !== null; ) {
      const { bytes, last: end } = this.#deps.store.retention.pictureBytes(after, ROWS)
      sum += bytes
      after = end
      if (after !== null) await new Promise<void>(resolve => setImmediate(resolve))
    }
    return sum
  }

  #longest(run: KeptRun): number {
    return Math.max(...classesOf(run).map(each => this.#days[each]))
  }

  #rest(): Promise<void> {
    const ms = this.#options.restMs ?? 20
    return new Promise(resolve => {
      if (ms === 0 || !this.#open) setImmediate(resolve)
      else this.#wake = resolve
      if (ms > 0) this.#deps.clock.after(ms, resolve)
    })
  }
}

/** All that a run is, the most worth keeping last. */
function classesOf({ status, acted, marked }: KeptRun): Class[] {
  const found: Class[] = ['dull']
  if (status === 'failed' || status === 'unknown') found.push('failed')
  if (acted) found.push('acted')
  if (marked) found.push('marked')
  return found
}

function last(classes: Class[]): Class {
  return classes.at(-1) ?? 'dull'
}
