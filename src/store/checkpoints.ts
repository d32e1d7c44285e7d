import type { Connection } from './connection.ts'
import { isFatal } from './errors.ts'

/** Pages in the log that are not in the file yet, from which on they are copied: SQLite's own measure. */
const PAGES = 1_000
/** After one that failed (no room) the next is tried when the log has grown by so much. */
const PAGES_MORE = 100

/**
 * Copies the write-ahead log into the database, between the turns. SQLite would do that inside of a commit and tell
 * nobody when the disk fails meanwhile; then the next sync would report success for pages that are lost.
 */
export class Checkpoints {
  readonly #connection: Connection
  readonly #onFatal: (error: unknown) => void
  #scheduled = false
  #least = PAGES
  /** Since the start. */
  readonly counts = { done: 0, failed: 0 }

  constructor(connection: Connection, onFatal: (error: unknown) => void) {
    this.#connection = connection
    this.#onFatal = onFatal
  }

  /** After a commit: has the log copied soon, if it is long enough. */
  committed(): void {
    if (this.#scheduled || this.#waiting() < this.#least) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      if (this.#connection.isOpen) this.run()
    })
  }

  /** Copies what there is. A disk that can no longer be trusted is reported; false where it was only full. */
  run(): boolean {
    try {
      this.#connection.get('PRAGMA wal_checkpoint(PASSIVE)')
      this.#least = PAGES
      this.counts.done++
      return true
    } catch (error) {
      this.counts.failed++
      // What could not be copied stays in the log, where it is safe.
      if (isFatal(error)) this.#onFatal(error)
      else this.#least = this.#waiting() + PAGES_MORE
      return false
    }
  }

  /**
   * The same, and the log is empty after it; `anew`: the whole file is written anew before. False where that was not
   * done: somebody reads the file, or the disk was full.
   */
  cutLog(anew: boolean): boolean {
    try {
      // The engine does not stand still for somebody who reads for long.
      this.#connection.exec('PRAGMA busy_timeout = 50')
      // In memory it would be as large as the file.
      if (anew) this.#connection.exec('PRAGMA temp_store = FILE; VACUUM')
      const done = this.#connection.get<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)')
      this.counts.done++
      return done?.busy === 0
    } catch (error) {
      this.counts.failed++
      if (isFatal(error)) this.#onFatal(error)
      return false
    } finally {
      if (this.#connection.isOpen) this.#connection.configure()
    }
  }

  #waiting(): number {
    const log = this.#connection.get<{ log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)')
    return log ? log.log - log.checkpointed : 0
  }
}
