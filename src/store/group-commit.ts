import { GatehouseError, messageOf } from '../core/index.ts'
import { Checkpoints } from './checkpoints.ts'
import type { Connection } from './connection.ts'
import { isFatal, isMediumError, storeError } from './errors.ts'

interface Entry {
  job: () => unknown
  canFail: boolean
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

type Outcome = { entry: Entry; value: unknown } | { entry: Entry; error: unknown }

/**
 * All jobs of one event-loop turn in one transaction: the cost is a sync per turn, not per row. Promises
 * settle after the commit, so whoever awaits one knows that its rows are on the disk.
 */
export class GroupCommit {
  readonly #connection: Connection
  readonly #onFatal: (error: GatehouseError) => void
  readonly #checkpoints: Checkpoints
  #queue: Entry[] = []
  #scheduled = false
  #running = false
  /** Why nothing is taken any more: not started, stopped, or failed beyond repair. */
  #closed: GatehouseError | null = notOpen()
  /** Commits since the start, and the jobs in them. */
  readonly counts = { commits: 0, jobs: 0, failed: 0 }

  constructor(connection: Connection, onFatal: (error: GatehouseError) => void) {
    this.#connection = connection
    this.#onFatal = onFatal
    this.#checkpoints = new Checkpoints(connection, error => this.#stopForGood(storeError(error)))
  }

  open(): void {
    this.#closed = null
  }

  /** Commits what waits and copies the log into the file, then takes no more. */
  close(): void {
    this.flush()
    if (this.#closed) return
    // Closing the file copies the log too, and tells nobody when that fails.
    this.#checkpoints.run()
    this.#closed ??= notOpen()
  }

  /** Copies the log into the file now. */
  checkpoint(): void {
    if (!this.#closed) this.#checkpoints.run()
  }

  /** Empties the log; `anew`: writes the whole file anew before. False where somebody else reads it, or there is no room. */
  cutLog(anew: boolean): boolean {
    this.flush()
    return this.#closed === null && this.#checkpoints.cutLog(anew)
  }

  /** Copies of the log into the file since the start. */
  get checkpoints(): Readonly<{ done: number; failed: number }> {
    return this.#checkpoints.counts
  }

  write(job: () => unknown, canFail: boolean): Promise<unknown> {
    if (this.#running) throw new Error('store.write() inside a write job: call the tables directly')
    if (this.#closed) return Promise.reject(this.#closed)
    return new Promise((resolve, reject) => {
      this.#queue.push({ job, canFail, resolve, reject })
      if (this.#scheduled) return
      this.#scheduled = true
      setImmediate(() => this.flush())
    })
  }

  /** Commits everything that waits, now. */
  flush(): void {
    this.#scheduled = false
    const batch = this.#queue
    if (batch.length === 0) return
    this.#queue = []
    let outcomes: Outcome[]
    this.#running = true
    try {
      outcomes = this.#commit(batch)
    } catch (error) {
      this.#fail(batch, error)
      return
    } finally {
      this.#running = false
      this.#connection.writable = false
    }
    this.counts.commits++
    this.counts.jobs += batch.length
    for (const outcome of outcomes) {
      if ('error' in outcome) {
        this.counts.failed++
        outcome.entry.reject(outcome.error)
      } else outcome.entry.resolve(outcome.value)
    }
    this.#checkpoints.committed()
  }

  #commit(batch: Entry[]): Outcome[] {
    const connection = this.#connection
    connection.prepared('BEGIN IMMEDIATE').run()
    connection.writable = true
    const outcomes = batch.map(entry =>
      entry.canFail ? this.#guarded(entry) : { entry, value: runJob(entry.job, entry) },
    )
    connection.writable = false
    connection.prepared('COMMIT').run()
    return outcomes
  }

  /** A job in a savepoint: what it did is undone when it throws, the others' rows stay. */
  #guarded(entry: Entry): Outcome {
    const connection = this.#connection
    connection.prepared('SAVEPOINT job').run()
    try {
      const value = runJob(entry.job, entry)
      connection.prepared('RELEASE job').run()
      return { entry, value }
    } catch (error) {
      const cause = error instanceof JobFailure ? error.cause : error
      if (isMediumError(cause) || !connection.inTransaction) throw cause
      connection.prepared('ROLLBACK TO job').run()
      connection.prepared('RELEASE job').run()
      return { entry, error: cause }
    }
  }

  #fail(batch: Entry[], thrown: unknown): void {
    let error = thrown
    try {
      if (this.#connection.inTransaction) this.#connection.prepared('ROLLBACK').run()
    } catch (rollbackError) {
      error = rollbackError
    }
    this.counts.failed += batch.length
    const culprit = error instanceof JobFailure ? error.entry : null
    const cause = error instanceof JobFailure ? error.cause : error
    const fatal = isFatal(cause)
    const medium = culprit === null || isMediumError(cause)
    const told = medium
      ? storeError(cause)
      : new GatehouseError('store_failed', `Nothing was stored: ${messageOf(cause)}`, { status: 500, cause })
    if (fatal) this.#closed = told
    for (const entry of batch) entry.reject(entry === culprit && !medium ? cause : told)
    if (fatal) this.#stopForGood(told)
  }

  #stopForGood(told: GatehouseError): void {
    this.#closed = told
    for (const entry of this.#queue.splice(0)) entry.reject(told)
    this.#onFatal(told)
  }
}

/** Which job of the batch threw, and what. */
class JobFailure extends Error {
  readonly entry: Entry

  constructor(entry: Entry, cause: unknown) {
    super('a write job failed', { cause })
    this.entry = entry
  }
}

function runJob(job: () => unknown, entry: Entry): unknown {
  try {
    const value = job()
    if (typeof value === 'object' && value !== null && 'then' in value) {
      // Whatever it does after its first await would be outside of the transaction. Its own rejection is moot.
      if (value instanceof Promise) value.catch(() => undefined)
      throw new TypeError('a write job must not be async')
    }
    return value
  } catch (error) {
    throw new JobFailure(entry, error)
  }
}

function notOpen(): GatehouseError {
  return new GatehouseError('store_closed', 'The store is closed: Gatehouse is starting or stopping.', {
    status: 503,
  })
}
