import { messageOf } from '../core/index.ts'
import { isStoreFailure, type RunRow } from '../store/index.ts'
import { type Admitted, eventKey } from './admit.ts'
import { note } from './audit.ts'
import { busyKey } from './busy-key.ts'
import { giveUp, hasBegunAlways, stopAside } from './end-early.ts'
import type { Executor, Outcome } from './execute.ts'
import { factsOf } from './facts.ts'
import { payloadToKeep } from './memory.ts'
import { first } from './plan.ts'
import type { EngineDeps } from './ports.ts'
import type { Program } from './program.ts'
import { type Aside, lookAgain, restore } from './resume.ts'
import { Run } from './run.ts'
import { store as storePicture } from './steps/keep-picture.ts'
import type { Loaded, Workflows } from './workflows.ts'

/** A run whose rows could not be written is taken up again after this. */
const RETRY_MS = 10_000
/** Runs whose rows need not be read again for each look: of more, the oldest are read. */
const MOST_ASIDE = 256

/** What the runs tell the engine. */
export interface RunsHooks {
  /** A run came to its end, and what it was the only one for is free. */
  onEnded(run: Run): void
  /** `again`: it looked and waits on; nothing but its next time has changed. */
  onWaits(run: Run, again: boolean): void
  /**
   * A run could not go on; its rows say why, and `notices` what people are told of it. `over`: it has ended with
   * that, and what it was the only one for (where that is known) is free.
   */
  onGivenUp(id: number, notices: readonly number[], over: { key: string | null } | null): void
}

/** Every run between its admission and its end: those at work in memory, those that wait as rows only. */
export class Runs {
  readonly #deps: EngineDeps
  readonly #workflows: Workflows
  readonly #executor: Executor
  readonly #hooks: RunsHooks
  readonly #atWork = new Map<number, Run>()
  readonly #tasks = new Set<Promise<void>>()
  /** What runs are going on for, waits included → the run's id. */
  readonly #busy = new Map<string, Promise<number>>()
  /** Runs that are being stopped or given up: nothing else may take them up meanwhile. */
  readonly #halting = new Set<number>()
  /** Runs whose step looks again and again, as they stood after the last look. */
  readonly #aside = new Map<number, Aside>()
  #open = false

  constructor(deps: EngineDeps, workflows: Workflows, executor: Executor, hooks: RunsHooks) {
    this.#deps = deps
    this.#workflows = workflows
    this.#executor = executor
    this.#hooks = hooks
  }

  /** Takes up every run that had not ended. */
  start(): void {
    this.#open = true
    this.#executor.open()
    for (const { id } of this.#deps.store.runs.unfinished()) this.resume(id)
  }

  /** Lets no step begin any more and waits, at most `ms`, for what is being done outside of the box. */
  async stop(ms: number): Promise<void> {
    this.#open = false
    this.#executor.close()
    for (const run of this.#atWork.values()) if (run.thinking) run.interrupt()
    const late = Promise.withResolvers<void>()
    const cancel = this.#deps.clock.after(ms, late.resolve)
    await Promise.race([Promise.allSettled(this.#tasks), late.promise])
    cancel()
    this.#atWork.clear()
    this.#busy.clear()
    this.#aside.clear()
  }

  /** How many are at work. */
  get size(): number {
    return this.#tasks.size
  }

  /** The id of the run that is going on for `key`. */
  holder(key: string): Promise<number> | undefined {
    return this.#busy.get(key)
  }

  /**
   * Writes a new run and takes it on; resolves with its id once it is on the disk. `take`: the event had a row in
   * which it waited for its time or its turn; what the same commit does with that. `owed`: the workflows that had no
   * room for it.
   */
  async begin(admitted: Admitted, take: (() => void) | null, owed: () => number[]): Promise<number> {
    const { store, clock } = this.#deps
    const { loaded, program, event, values, taint, key } = admitted
    const startedAt = clock.now()
    const facts = factsOf(admitted, startedAt, this.#deps.site())
    const lateMs = take ? Math.max(0, startedAt - event.at) : 0
    const run = new Run(loaded, program, facts, { values, taint, lateMs, key })
    run.brought = event.pictures.length
    const takeBack = loaded.limits.began(event.cameraId, startedAt)
    this.#busy.set(key, run.committed.promise)
    const payload = payloadToKeep(event, this.#workflows)
    try {
      const { pictures } = event
      const media = pictures.length
        ? await this.#tracked(Promise.all(pictures.map(each => storePicture(each, this.#deps))))
        : []
      run.writes.push(() => {
        take?.()
        const { kind, schema, cameraId, at } = event
        const eventId = eventKey(event)
        const isNew = store.events.remember({ eventId, kind, schema, cameraId, at, payload })
        // Taken by this one and owed to another: what a restart must not forget is stored with the run.
        const left = owed()
        if (left.length || !isNew) store.events.owe(eventId, left)
        run.id = store.runs.insert({ ...facts, workflowId: loaded.row.id, values, taint, lateMs })
        const added = media.map(row =>
          store.media.add({ ...row, runId: run.id, stepId: null, createdAt: startedAt }),
        )
        run.lastMedia = added[0] ?? null
      })
      this.#work(run, () => this.#executor.drive(run, first(program).node))
      return await run.committed.promise
    } catch (error) {
      takeBack()
      this.#busy.delete(key)
      // Whoever waits to hear which run this is has to hear that it is none; nobody may.
      run.committed.promise.catch(() => undefined)
      run.committed.reject(error)
      throw error
    }
  }

  /** The run's first rows are on the disk. */
  committed(run: Run): void {
    run.stored = true
    this.#atWork.set(run.id, run)
    run.committed.resolve(run.id)
  }

  /** Takes a run up from its rows: after a restart, a wait, a stop, a store that failed. */
  resume(id: number): void {
    if (this.#atWork.has(id) || this.#halting.has(id) || !this.#open) return
    const aside = this.#aside.get(id)
    this.#aside.delete(id)
    try {
      this.#takeUp(id, aside)
    } catch (error) {
      this.#notTakenUp(id, error)
    }
  }

  /** Rows of a run were changed by somebody else: it is read from them next time. */
  forget(id: number): void {
    this.#aside.delete(id)
    const run = this.#atWork.get(id)
    if (run) run.stale = true
  }

  /**
   * Has a run end before its time; `always` still runs. Resolves once that is on the disk: whoever was told of the
   * stop can rely on it, whatever happens to this process.
   */
  async halt(id: number, by?: string): Promise<void> {
    const { store, clock } = this.#deps
    const run = this.#atWork.get(id)
    if (run) {
      // It counts at once: a move that is about to be made must not slip in before the disk has answered.
      run.stop()
      await store.write(() => {
        store.runs.setStop(id, clock.now())
        note('run.stop', `run ${id}`, by, this.#deps)
      })
      return
    }
    await this.#stopAside(id, () => note('run.stop', `run ${id}`, by, this.#deps))
  }

  async #stopAside(id: number, also: (() => void) | null): Promise<void> {
    this.forget(id)
    await this.#alone(id, () => stopAside(id, also, this.#deps))
    this.resume(id)
  }

  /** Throws where the rows of the run cannot be read, or are not understood. */
  #takeUp(id: number, aside: Aside | undefined): void {
    const { store, clock } = this.#deps
    const row = store.runs.get(id)
    const loaded = row && this.#workflows.get(row.workflowId)
    if (!row || !loaded || row.endedAt !== null) return
    const now = clock.now()
    const kept = aside && row.stopAt === null ? lookAgain(aside, this.#deps, now) : null
    const { run, way } =
      kept ?? restore(row, loaded, this.#workflows.programOf(row.versionId, loaded), this.#deps, now)
    this.#busy.set(run.key, run.committed.promise)
    if (way.go === 'wait') return
    this.#atWork.set(id, run)
    this.#work(run, async () => {
      if (way.go === 'lost') return this.#executor.lost(run, way.begun, way.ended)
      if (way.go === 'again') return this.#executor.drive(run, null, way.begun)
      if (way.go === 'on') return this.#executor.drive(run, way.from)
      const outcome = await this.#executor.wake(run, way.waits)
      if (outcome === 'again') this.#putAside({ run, node: way.waits.node, stepId: way.waits.step.id })
      return outcome
    })
  }

  #notTakenUp(id: number, error: unknown): void {
    if (isStoreFailure(error)) this.#later(id, error)
    else this.#giveUp(id, messageOf(error)).catch(failure => this.#later(id, failure))
  }

  /** Nothing else may take a run up meanwhile. */
  async #alone<T>(id: number, job: () => Promise<T>): Promise<T> {
    this.#halting.add(id)
    try {
      return await job()
    } finally {
      this.#halting.delete(id)
    }
  }

  #later(id: number, error: unknown): void {
    if (!this.#open) return
    const { log, clock } = this.#deps
    log.error({ run: id, error: messageOf(error) }, 'a run was interrupted; it will be taken up again')
    clock.after(RETRY_MS, () => this.resume(id))
  }

  #putAside(aside: Aside): void {
    if (aside.run.stale) return
    aside.run.listed = false
    this.#aside.set(aside.run.id, aside)
    if (this.#aside.size <= MOST_ASIDE) return
    for (const oldest of this.#aside.keys()) if (this.#aside.delete(oldest)) break
  }

  /** Does a piece of a run, and sees to what comes after it. */
  #work(run: Run, piece: () => Promise<Outcome>): void {
    const task = piece()
      .then(
        outcome => this.#after(run, outcome),
        error => this.#failed(run, error),
      )
      .catch(error =>
        this.#deps.log.error({ run: run.id, error: messageOf(error) }, 'a run was not seen off'),
      )
    this.#tracked(task)
  }

  /** Counts as a run at work while it lasts, and a stop waits for it. */
  #tracked<T>(work: Promise<T>): Promise<T> {
    const task = work.then(
      () => undefined,
      () => undefined,
    )
    this.#tasks.add(task)
    task.finally(() => this.#tasks.delete(task))
    return work
  }

  /** A run whose rows are not understood any more: what it has open is closed, and only `always` still runs. */
  async #giveUp(id: number, why: string): Promise<void> {
    const { store, log } = this.#deps
    const row = store.runs.get(id)
    const loaded = row && this.#workflows.get(row.workflowId)
    if (!row || !loaded) return
    log.error({ run: id, error: why }, 'a run cannot go on')
    const program = this.#programFor(row, loaded)
    // Of a run that cannot be read nobody knows what it was given, nor what it may move.
    const always = program && !row.broken && !hasBegunAlways(store.steps.ofRun(id)) ? program.always : null
    const { notices, seq, verdict } = await this.#alone(id, () =>
      giveUp(row, why, always === null, this.#deps),
    )
    const key = await this.#keyOf(row, program)
    if (!program || !always || key === null) {
      if (key !== null) this.#busy.delete(key)
      return this.#hooks.onGivenUp(id, notices, { key })
    }
    this.#hooks.onGivenUp(id, notices, null)
    const run = new Run(loaded, program, row, { ...row, key })
    Object.assign(run, { id, seq, verdict, error: why, givenUp: why, stored: true } satisfies Partial<Run>)
    run.committed.resolve(id)
    this.#busy.set(key, run.committed.promise)
    this.#atWork.set(id, run)
    this.#work(run, () => this.#executor.drive(run, always))
  }

  /** What a run is the only one for; where its rows do not say so any more, as far as that is remembered. */
  async #keyOf(row: RunRow, program: Program | null): Promise<string | null> {
    if (program && !row.broken) return busyKey(row.workflowId, program.workflow, row.values, row.cameraId)
    for (const [key, holder] of this.#busy) if ((await holder.catch(() => null)) === row.id) return key
    return null
  }

  /** Null where the file of that version is not understood any more. */
  #programFor(row: RunRow, loaded: Loaded): Program | null {
    try {
      return this.#workflows.programOf(row.versionId, loaded)
    } catch {
      return null
    }
  }

  async #after(run: Run, outcome: Outcome): Promise<void> {
    this.#atWork.delete(run.id)
    const waits = outcome === 'waits' || outcome === 'again'
    // It was stopped as it began to wait: who did that is written down already.
    if (waits && run.stopping) return this.#stopAside(run.id, null)
    if (waits) this.#hooks.onWaits(run, outcome === 'again')
    if (outcome !== 'ended') return
    // Another version may run for something else under the same key.
    if (this.#busy.get(run.key) === run.committed.promise) this.#busy.delete(run.key)
    this.#hooks.onEnded(run)
  }

  #failed(run: Run, error: unknown): void {
    if (!run.stored) {
      run.committed.reject(error)
      return
    }
    this.#atWork.delete(run.id)
    this.#later(run.id, error)
  }
}
