import { messageOf } from '../core/index.ts'
import { type Admitted, eventKey } from './admit.ts'
import { note } from './audit.ts'
import { busyKey } from './busy-key.ts'
import type { Executor } from './execute.ts'
import { factsOf } from './facts.ts'
import { payloadToKeep } from './memory.ts'
import { unknownMove } from './notices.ts'
import { first } from './plan.ts'
import type { EngineDeps } from './ports.ts'
import { restore } from './resume.ts'
import { Run } from './run.ts'
import { store as storePicture } from './steps/pictures.ts'
import { waitingKind } from './steps/waiting-kinds.ts'
import type { Workflows } from './workflows.ts'

/** A run whose rows could not be written is taken up again after this. */
const RETRY_MS = 10_000

type Outcome = 'ended' | 'waits' | 'put_down'

export interface RunsHooks {
  /** A run came to its end, and what it was the only one for is free. */
  onEnded(run: Run): void
  onWaits(run: Run): void
  /** A run could not go on; its rows say why, and `notices` what people are told of it. */
  onGivenUp(id: number, notices: readonly number[]): void
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
  /** Waiting runs that are being stopped: nothing else may take them up meanwhile. */
  readonly #halting = new Set<number>()
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
   * which it waited for its time or its turn; what the same commit does with that.
   */
  async begin(admitted: Admitted, take: (() => void) | null): Promise<number> {
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
        if (!store.events.remember({ eventId, kind, schema, cameraId, at, payload }))
          store.events.paid(eventId, loaded.row.id)
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
    const { store, clock, log } = this.#deps
    if (this.#atWork.has(id) || this.#halting.has(id) || !this.#open) return
    const row = store.runs.get(id)
    const loaded = row && this.#workflows.get(row.workflowId)
    if (!row || !loaded || row.endedAt !== null) return
    let key: string | null = null
    try {
      const program = this.#workflows.programOf(row.versionId, loaded)
      key = busyKey(row.workflowId, program.workflow, row.values, row.cameraId)
      const { run, way } = restore(row, loaded, program, this.#deps, clock.now())
      this.#busy.set(run.key, run.committed.promise)
      if (way.go === 'wait') return
      this.#atWork.set(id, run)
      this.#work(run, () => {
        if (way.go === 'lost') return this.#executor.lost(run, way.begun, way.ended)
        if (way.go === 'wake') return this.#executor.wake(run, way.waits)
        if (way.go === 'again') return this.#executor.drive(run, null, way.begun)
        return this.#executor.drive(run, way.from)
      })
    } catch (error) {
      log.error({ run: id, error: messageOf(error) }, 'a run cannot go on')
      if (key !== null) this.#busy.delete(key)
      this.#giveUp(id, loaded.row.name, messageOf(error))
    }
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
    const waiting = store.steps.ofRun(id).at(-1)
    const due = store.due.ofRun(id).find(({ stepId }) => stepId === waiting?.id)
    const kind = waitingKind(due?.kind ?? waiting?.kind ?? '')
    let stopped = false
    this.#halting.add(id)
    try {
      await store.write(() => {
        const now = clock.now()
        // It is between two steps, or its wait is over already: it stops as soon as it is taken up.
        store.runs.setStop(id, now)
        note('run.stop', `run ${id}`, by, this.#deps)
        if (waiting?.status !== 'waiting' || kind?.stop?.(waiting, now, this.#deps) === false) return
        stopped = true
        if (due) store.due.remove(due.id)
        const result = { message: 'The run was stopped.', stopped: true, ends_path: true }
        store.steps.end(waiting.id, { status: 'failed', result, endedAt: now })
        store.runs.setStatus(id, 'running')
        store.runs.setStop(id, null)
      })
    } finally {
      this.#halting.delete(id)
    }
    if (stopped && waiting) kind?.stopped?.(waiting, this.#deps)
    this.resume(id)
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

  /** A run whose rows are not understood any more: it is ended, so that it does not stand in the way for ever. */
  #giveUp(id: number, workflow: string, why: string): void {
    const { store, clock, log } = this.#deps
    store
      .write(() => {
        store.due.removeOfRun(id)
        const question = store.approvals.openOf(id)
        if (question) store.approvals.decide(question.id, { status: 'stopped' }, clock.now())
        const open = store.intents
          .ofRun(id)
          .filter(intent => store.intents.close(intent.id, 'unknown', clock.now()))
        for (const { stepId } of open) store.steps.end(stepId, { status: 'unknown', endedAt: clock.now() })
        store.runs.end(id, open.length ? 'unknown' : 'failed', clock.now(), why)
        const about = { workflow, cameraId: store.runs.get(id)?.cameraId ?? null }
        return open.map(intent => store.notices.add(unknownMove(intent, about, why, clock.now())))
      })
      .then(notices => this.#hooks.onGivenUp(id, notices))
      .catch(error => log.error({ run: id, error: messageOf(error) }, 'a run could not be ended'))
  }

  async #after(run: Run, outcome: Outcome): Promise<void> {
    this.#atWork.delete(run.id)
    if (outcome === 'waits' && run.stopping) return this.halt(run.id)
    if (outcome === 'waits') this.#hooks.onWaits(run)
    if (outcome !== 'ended') return
    // Another version may run for something else under the same key.
    if (this.#busy.get(run.key) === run.committed.promise) this.#busy.delete(run.key)
    this.#hooks.onEnded(run)
  }

  #failed(run: Run, error: unknown): void {
    const { log, clock } = this.#deps
    if (!run.stored) {
      run.committed.reject(error)
      return
    }
    this.#atWork.delete(run.id)
    if (!this.#open) return
    log.error({ run: run.id, error: messageOf(error) }, 'a run was interrupted; it will be taken up again')
    clock.after(RETRY_MS, () => this.resume(run.id))
  }
}
