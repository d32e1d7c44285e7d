import { messageOf } from '../../core/index.ts'
import type { KeptRun } from '../../store/index.ts'
import type { EngineDeps } from '../ports.ts'
import { reclaim } from './reclaim.ts'

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
/** Of the cap, what events may take before the oldest of them are given up; never those of the last hour. */
const EVENTS_SHARE = 0.1
const EVENTS_LEAST_MS = 3_600_000
/** So many runs free something, or what is too much is held by something else. */
const RUNS_FREE = 200

/** Why a run is kept, from the first to be given up to the last. */
const CLASSES = ['dull', 'failed', 'acted', 'marked'] as const
type Class = (typeof CLASSES)[number]

/** How long what is kept, and how much. */
export interface KeepOptions {
  /** Days that a run is kept after its end. What is of two kinds is kept for the longer time. */
  days?: Partial<Record<Class, number>>
  /** Days that events are remembered. */
  eventDays?: number
  /** Bytes that runs, their pictures and events may take; default half of the disk. */
  maxBytes?: number
  /** Free bytes on the disk under which no new work is taken; default 256 MB. */
  minFreeBytes?: number
  /** Rest between two turns of deleting, ms; default 20. */
  restMs?: number
}

const DAYS: Record<Class, number> = { dull: 30, failed: 90, acted: 180, marked: 365 }

/**
 * Deletes what is old, in small pieces between the turns of the engine: runs by what they were, with their pictures,
 * events, and the box's own notices. Over the cap events go first, as far as they take more than their share, then
 * dull runs, the oldest before the others, and before any that failed, acted or was marked. No run goes for bytes that
 * its going does not free.
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
  /** Bytes of all pictures that runs name. */
  #pictures = 0

  readonly #isLow: () => boolean

  /** `isLow`: whether the disk has too little room. */
  constructor(deps: EngineDeps, isLow: () => boolean) {
    this.#deps = deps
    this.#isLow = isLow
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
    if (this.#sweeping) return this.#sweeping
    const sweeping = this.#sweep(byAge).finally(() => {
      if (this.#sweeping === sweeping) this.#sweeping = null
    })
    this.#sweeping = sweeping
    return sweeping
  }

  async #sweep(byAge: boolean): Promise<void> {
    const { clock } = this.#deps
    this.#readOptions()
    const most = await this.#most()
    this.#pictures = await this.#pictureBytes()
    if (byAge) await this.#old(clock.now())
    if (this.#held() > most) await this.#giveUp(most, clock.now())
    await this.#strays()
    await this.#reclaim()
    this.#bytes = this.#held()
  }

  /** The site may say something else by now. */
  #readOptions(): void {
    const { options, keep } = this.#deps
    this.#options = { ...keep?.(), ...options?.keep }
    this.#days = { ...DAYS, ...this.#options.days }
  }

  /** There is too little room on the disk: what is free in the database is given back at once. */
  makeRoom(): Promise<void> {
    const before = this.#sweeping ?? Promise.resolve()
    const making = before
      .then(() => {
        this.#readOptions()
        return this.#reclaim()
      })
      .finally(() => {
        if (this.#sweeping === making) this.#sweeping = null
      })
    this.#sweeping = making
    return making
  }

  #reclaim(): Promise<void> {
    return reclaim(this.#deps, this.#isLow(), async () => {
      await this.#rest()
      return this.#open
    })
  }

  /** Bytes that hold something. */
  #held(): number {
    return this.#deps.store.retention.databaseBytes() + this.#pictures
  }

  /** Events first, then the runs of one class after another, as long as there is too much of what they hold. */
  async #giveUp(most: number, now: number): Promise<void> {
    const { store, log } = this.#deps
    const share = most * EVENTS_SHARE
    await this.#events(now - EVENTS_LEAST_MS, () => store.retention.eventBytes() > share)
    const events = store.retention.eventBytes()
    let [frees, before, removed] = [true, this.#held(), 0]
    for (const give of CLASSES) {
      // What stays whatever it takes (events of the last hour, versions of files): no run goes for it, and none that
      // was marked for any event.
      const others =
        store.retention.versionBytes() + (give === 'marked' ? events : Math.max(0, events - share))
      await this.#runs(
        run => last(classesOf(run)) === give,
        n => {
          removed += n
          if (removed >= RUNS_FREE) {
            frees = this.#held() < before
            before = this.#held()
            removed = 0
          }
          return frees && this.#held() - others > most
        },
      )
      if (frees) continue
      log.warn(
        { class: give },
        'runs were given up for room and freed none: something else takes more than the cap',
      )
      return
    }
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
    await this.#events(now - (this.#options.eventDays ?? this.#days.dull) * DAY_MS, () => true)
    const said = store.retention.oldNotices(now - this.#days.failed * DAY_MS)
    if (said.length) await store.write(() => store.retention.forgetNotices(said))
  }

  async #most(): Promise<number> {
    const { maxBytes } = this.#options
    return maxBytes ?? ((await this.#deps.disk?.())?.total ?? Infinity) / 2
  }

  /** Deletes the runs that `which` picks, oldest first, for as long as `goOn` says so: it is told how many just went. */
  async #runs(which: (run: KeptRun) => boolean, goOn: (gone: number) => boolean): Promise<void> {
    const { store } = this.#deps
    let gone = 0
    for (let after = 0; this.#open; ) {
      const { runs, last: end } = store.retention.runs(after, RUNS_READ)
      if (end === null) return
      const ids = runs.filter(which).map(({ id }) => id)
      for (let from = 0; from < ids.length; from += RUNS_DELETED) {
        if (!this.#open || !goOn(gone)) return
        const some = ids.slice(from, from + RUNS_DELETED)
        await this.#remove(some)
        gone = some.length
        await this.#rest()
      }
      after = end
      await this.#rest()
    }
  }

  /** Forgets events that arrived before `before` (epoch ms), oldest first, for as long as `goOn` says so. */
  async #events(before: number, goOn: () => boolean): Promise<void> {
    const { store } = this.#deps
    while (this.#open && goOn()) {
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
    const pictures = await store.write(() => {
      // A repeat, a mark or a message may have come since they were read.
      const { runs } = store.retention.runs((ids[0] ?? 1) - 1, RUNS_READ)
      const free = new Set(runs.map(({ id }) => id))
      return store.retention.remove(ids.filter(id => free.has(id)))
    })
    for (const { hash, bytes } of pictures) {
      if (store.retention.isWanted(hash)) continue
      this.#pictures -= bytes
      await media.remove(hash)
    }
  }

  async #pictureBytes(): Promise<number> {
    let sum = this.#deps.store.retention.caseOnlyBytes()
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
