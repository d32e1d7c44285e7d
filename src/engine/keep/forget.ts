import { GatehouseError, messageOf } from '../../core/index.ts'
import type { RunTexts } from '../../store/index.ts'
import { note } from '../audit.ts'
import type { EngineDeps } from '../ports.ts'
import { reclaim } from './reclaim.ts'
import { type Forget, type Sought, soughtFor } from './sought.ts'

/** Rows that one turn reads, and runs that one turn deletes: few enough that a run at work does not notice. */
const RUNS_READ = 50
const ROWS_READ = 500
const RUNS_ERASED = 10
const REST_MS = 20
/** Events that came within this stay known by their number: sent again, they are no news. */
const SENT_AGAIN_MS = 3_600_000
/** How often the files are tried to be left without a trace while somebody else reads them. */
const TRIES = 100
const TRY_AGAIN_MS = 3_000

/** What there is of it, or what went. */
export interface Forgotten {
  runs: number
  pictures: number
  clips: number
  events: number
  notices: number
  /** Made of its runs, or saying it themselves. */
  cases: number
  /** Entries of the audit that name it: they stay without it. */
  audit: number
  /** What was due for no run yet: presses that wait, alerts to be followed. */
  promises: number
}

export interface ForgetPreview extends Forgotten {
  /** Of the runs, those that are not over: they are stopped first. */
  running: number
  /** Where people wrote it themselves; that stays. */
  written: { workflows: string[]; rules: boolean }
}

export interface ForgetOutcome extends Forgotten {
  /** Of the runs, those of which only the fact stays. */
  kept: number
  /** Runs that would not end: they are there still. */
  left: number[]
  /** False: the files of the database hold it until somebody does this again. */
  clean: boolean
}

export interface ForgettingHooks {
  /** Has a run end, and waits for that. */
  stop(run: number, by: string): Promise<void>
  /** The rows of a run are gone, or say nothing any more. */
  gone(run: number): void
  /** Null: runs can be stopped; else why not. */
  idle(): boolean
}

/**
 * Forgets a plate, a face or a span of time: the rows that say it, the pictures of those runs, and what the files of
 * the database still hold of what was deleted. In small pieces between the turns of the engine.
 */
export class Forgetting {
  readonly #deps: EngineDeps
  readonly #hooks: ForgettingHooks
  #busy = false
  #open = true

  constructor(deps: EngineDeps, hooks: ForgettingHooks) {
    this.#deps = deps
    this.#hooks = hooks
  }

  stop(): void {
    this.#open = false
  }

  /** What would go. Throws `bad_body`. */
  async preview(what: Forget): Promise<ForgetPreview> {
    const sought = soughtFor(what)
    const { forgetting } = this.#deps.store
    const found = { ...none(), running: 0, written: this.#written(sought) }
    await this.#runs(sought, async runs => {
      const counts = forgetting.countsOf(runs.map(({ id }) => id))
      found.runs += runs.length
      found.running += runs.filter(({ endedAt }) => endedAt === null).length
      for (const each of ['pictures', 'clips', 'notices'] as const) found[each] += counts[each]
    })
    await this.#cases(sought, false, found)
    await this.#loose(sought, what, false, found)
    return found
  }

  /** Forgets it. Throws `bad_body`; `forgetting` (409) while something else is being forgotten. */
  async forget(what: Forget, by: string): Promise<ForgetOutcome> {
    const sought = soughtFor(what)
    if (this.#busy)
      throw new GatehouseError('forgetting', 'Something is being forgotten already: wait for that to end.', {
        status: 409,
      })
    this.#busy = true
    try {
      const { store, bus } = this.#deps
      await store.write(() => note('privacy.forget', `${kindOf(what)}: begun`, by, this.#deps))
      await this.#stopAll(sought, by)
      const outcome: ForgetOutcome = { ...none(), kept: 0, left: [], clean: false }
      await this.#runs(sought, runs => this.#erase(runs, outcome))
      await this.#cases(sought, true, outcome)
      await this.#loose(sought, what, true, outcome)
      await this.#strays()
      bus.publish('forgotten', null)
      outcome.clean = await this.#leaveNoTrace()
      await store.write(() => note('privacy.forget', wordsOf(what, outcome), by, this.#deps))
      return outcome
    } finally {
      this.#busy = false
    }
  }

  async #stopAll(sought: Sought, by: string): Promise<void> {
    if (this.#hooks.idle()) return
    const { log } = this.#deps
    await this.#runs(sought, async runs => {
      const stopping = runs
        .filter(({ endedAt }) => endedAt === null)
        .map(({ id }) =>
          this.#hooks.stop(id, by).catch(error => {
            log.warn(
              { run: id, error: messageOf(error) },
              'a run that is to be forgotten could not be stopped',
            )
          }),
        )
      await Promise.all(stopping)
    })
  }

  /** The rows first: a row without its picture would promise what is not there. */
  async #erase(runs: readonly RunTexts[], outcome: ForgetOutcome): Promise<void> {
    const { store, media } = this.#deps
    const over = runs.filter(({ endedAt }) => endedAt !== null).map(({ id }) => id)
    outcome.left.push(...runs.filter(({ endedAt }) => endedAt === null).map(({ id }) => id))
    for (let from = 0; from < over.length; from += RUNS_ERASED) {
      const some = over.slice(from, from + RUNS_ERASED)
      const counts = store.forgetting.countsOf(some)
      const { hashes, cases, kept } = await store.write(() => store.forgetting.erase(some))
      for (const hash of hashes) await media.forget(hash)
      for (const run of some) this.#hooks.gone(run)
      outcome.runs += some.length
      outcome.kept += kept
      outcome.cases += cases
      for (const each of ['pictures', 'clips', 'notices'] as const) outcome[each] += counts[each]
      await this.#rest()
    }
  }

  /** Runs that say it, a page after the other. */
  async #runs(sought: Sought, each: (runs: RunTexts[]) => Promise<void>): Promise<void> {
    const { store, clock } = this.#deps
    for (let after = 0; ; ) {
      const page = store.forgetting.runs(after, RUNS_READ)
      const last = page.at(-1)?.id
      if (last === undefined) return
      const found = page.filter(
        ({ text, cameraId, startedAt, endedAt }) =>
          sought.covers(cameraId, startedAt, endedAt ?? clock.now()) || sought.says(text),
      )
      if (found.length) await each(found)
      after = last
      await this.#rest()
    }
  }

  /** They outlive the runs that they were made of. */
  async #cases(sought: Sought, goes: boolean, count: Forgotten): Promise<void> {
    const { store, media } = this.#deps
    const gone: string[] = []
    await this.#pages(
      goes,
      after => store.forgetting.cases(after, RUNS_READ),
      ({ id, cameraId, startedAt, text }) => {
        if (!(sought.covers(cameraId, startedAt, startedAt) || sought.says(text))) return
        count.cases++
        if (goes) gone.push(...store.forgetting.eraseCase(id))
      },
    )
    for (const hash of gone) await media.forget(hash)
  }

  /** Events, and what belongs to no run. `goes`: it is not only counted. */
  async #loose(sought: Sought, what: Forget, goes: boolean, count: Forgotten): Promise<void> {
    const { store, clock } = this.#deps
    const { forgetting } = store
    await this.#pages(
      goes,
      after => forgetting.events(after, ROWS_READ),
      ({ id, eventId, cameraId, at, receivedAt, text }) => {
        if (!(sought.covers(cameraId, at, at) || sought.says(text))) return
        count.events++
        const seen = clock.now() - receivedAt < SENT_AGAIN_MS && !sought.says(eventId)
        if (goes) forgetting.forgetEvent(id, seen)
      },
    )
    if ('from' in what) return
    for (const where of ['notices', 'audit', 'promises'] as const)
      await this.#pages(
        goes,
        after => forgetting.loose(where, after, ROWS_READ),
        ({ id, text }) => {
          if (!sought.says(text)) return
          count[where]++
          if (goes) forgetting.forgetLoose(where, id, sought.without(text))
        },
      )
  }

  async #pages<Row extends { id: number }>(
    changes: boolean,
    read: (after: number) => Row[],
    each: (row: Row) => void,
  ): Promise<void> {
    const { store } = this.#deps
    for (let after = 0; ; ) {
      const page = read(after)
      const last = page.at(-1)?.id
      if (last === undefined) return
      const all = () => {
        for (const row of page) each(row)
      }
      if (changes) await store.write(all)
      else all()
      after = last
      await this.#rest()
    }
  }

  /** Pictures whose rows went before a process was killed that was to remove them: this is the same thing, done again. */
  async #strays(): Promise<void> {
    const { store, media } = this.#deps
    let n = 0
    for await (const hash of media.all()) {
      if (!store.retention.isWanted(hash)) await media.remove(hash)
      if (++n % ROWS_READ === 0) await this.#rest()
    }
  }

  /** What is free in the database goes back to the disk, and its log is emptied. */
  async #leaveNoTrace(): Promise<boolean> {
    const { store, clock, log } = this.#deps
    await reclaim(this.#deps, true, async () => {
      await this.#rest()
      return true
    })
    for (let tries = 0; tries < TRIES; tries++) {
      this.#demandOpen()
      if (store.leaveNoTrace()) return true
      await new Promise<void>(resolve => clock.after(TRY_AGAIN_MS, resolve))
    }
    log.warn(
      {},
      'what was forgotten is in the files of the database still: they are being read, or the disk is full',
    )
    return false
  }

  #written(sought: Sought): ForgetPreview['written'] {
    const { workflows, rules } = this.#deps.store.forgetting.written()
    return {
      workflows: workflows.filter(({ text }) => sought.says(text)).map(({ name }) => name),
      rules: rules.some(text => sought.says(text)),
    }
  }

  #demandOpen(): void {
    if (!this.#open)
      throw new GatehouseError('not_running', 'Gatehouse stops: have it forgotten again once it is up.', {
        status: 503,
      })
  }

  async #rest(): Promise<void> {
    this.#demandOpen()
    const { clock, options } = this.#deps
    const ms = options?.keep?.restMs ?? REST_MS
    await new Promise<void>(resolve => {
      if (ms === 0) setImmediate(resolve)
      else clock.after(ms, resolve)
    })
    this.#demandOpen()
  }
}

const none = (): Forgotten => ({
  ...{ runs: 0, pictures: 0, clips: 0, events: 0, cases: 0, notices: 0, audit: 0, promises: 0 },
})

const kindOf = (what: Forget) => ('plate' in what ? 'a plate' : 'face' in what ? 'a face' : 'a span of time')

/** For the audit: what kind of thing and how much of it, never which. */
function wordsOf(what: Forget, { runs, pictures, clips, events, left }: ForgetOutcome): string {
  const rest = left.length ? `, ${left.length} runs left` : ''
  return `${kindOf(what)}: ${runs} runs, ${pictures + clips} pictures and clips, ${events} events${rest}`
}
