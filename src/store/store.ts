import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, GatehouseError, type Log, mintId, noLog } from '../core/index.ts'
import { Connection } from './connection.ts'
import { storeError } from './errors.ts'
import { GroupCommit } from './group-commit.ts'
import { FolderLock } from './lock.ts'
import { migrate } from './migrations.ts'
import { markDamaged } from './rescue/copies.ts'
import { openMended } from './rescue/open.ts'
import { Ailments } from './tables/ailments.ts'
import { AnswerLinks } from './tables/answer-links.ts'
import { Approvals } from './tables/approvals.ts'
import { Attempts } from './tables/attempts.ts'
import { Audit } from './tables/audit.ts'
import { Cases } from './tables/cases.ts'
import { ClockShift } from './tables/clock-shift.ts'
import { Due } from './tables/due.ts'
import { Events } from './tables/events.ts'
import { Feeds } from './tables/feeds.ts'
import { Forgetting } from './tables/forgetting.ts'
import { Intents } from './tables/intents.ts'
import { Marks } from './tables/marks.ts'
import { Media } from './tables/media.ts'
import { Meta } from './tables/meta.ts'
import { Notices } from './tables/notices.ts'
import { RestoredState } from './tables/restored.ts'
import { Retention } from './tables/retention.ts'
import { Runs } from './tables/runs.ts'
import { Sessions } from './tables/sessions.ts'
import { SiteRulesVersions } from './tables/site-rules.ts'
import { SiteTests } from './tables/site-tests.ts'
import { Snoozes } from './tables/snoozes.ts'
import { Steps } from './tables/steps.ts'
import { Tokens } from './tables/tokens.ts'
import { ToolCalls } from './tables/tool-calls.ts'
import { Users } from './tables/users.ts'
import { Versions } from './tables/versions.ts'
import { Workflows } from './tables/workflows.ts'

/** Says that what was deleted from a file was always overwritten, or that it was written anew since. */
const CLEAN = 'overwrites'
/** How often the file is looked for in its folder. */
const WATCH_MS = 10_000

/** Where the store is, and whom it tells that the disk failed. */
export interface StoreOptions {
  /** The data folder; made, for its owner only, if it is not there. */
  dir: string
  clock: Clock
  log?: Log
  /** Name of the database in the folder; default `gatehouse.db`. */
  file?: string
  /** A damaged file is set aside, and the newest good copy put in its place. */
  mends?: boolean
  /**
   * Called once when the disk can no longer be trusted (a failed sync, a corrupt page): the process has to
   * stop; what is true is read from the disk at the next start. Default: kills the process after a line in the log.
   */
  onFatal?: (error: GatehouseError) => void
}

/**
 * Everything that outlives the process, in one SQLite file. Reads may happen at any time; rows change in
 * `write` only, and what one event-loop turn writes is committed together.
 */
export class Store {
  readonly workflows: Workflows
  readonly versions: Versions
  readonly runs: Runs
  readonly steps: Steps
  readonly toolCalls: ToolCalls
  readonly intents: Intents
  readonly approvals: Approvals
  readonly cases: Cases
  readonly clockShift: ClockShift
  readonly due: Due
  readonly events: Events
  readonly feeds: Feeds
  readonly forgetting: Forgetting
  readonly media: Media
  readonly notices: Notices
  readonly snoozes: Snoozes
  readonly restored: RestoredState
  readonly retention: Retention
  readonly meta: Meta
  readonly marks: Marks
  readonly siteRules: SiteRulesVersions
  readonly audit: Audit
  readonly users: Users
  readonly sessions: Sessions
  readonly tokens: Tokens
  readonly answerLinks: AnswerLinks
  readonly attempts: Attempts
  readonly siteTests: SiteTests
  readonly ailments: Ailments
  readonly #options: StoreOptions
  readonly #connection = new Connection()
  readonly #commits: GroupCommit
  readonly #lock: FolderLock
  readonly #log: Log
  #unwatch: () => void = () => {}

  constructor(options: StoreOptions) {
    this.#options = options
    this.#log = options.log ?? noLog
    this.#lock = new FolderLock(options.dir)
    this.#commits = new GroupCommit(this.#connection, error => this.#fatal(error))
    const connection = this.#connection
    this.workflows = new Workflows(connection)
    this.versions = new Versions(connection)
    this.runs = new Runs(connection)
    this.steps = new Steps(connection)
    this.toolCalls = new ToolCalls(connection)
    this.intents = new Intents(connection)
    this.approvals = new Approvals(connection)
    this.cases = new Cases(connection)
    this.clockShift = new ClockShift(connection)
    this.due = new Due(connection)
    this.events = new Events(connection, options.clock)
    this.feeds = new Feeds(connection)
    this.forgetting = new Forgetting(connection)
    this.media = new Media(connection)
    this.notices = new Notices(connection)
    this.snoozes = new Snoozes(connection)
    this.restored = new RestoredState(connection)
    this.retention = new Retention(connection)
    this.meta = new Meta(connection)
    this.marks = new Marks(connection)
    this.siteRules = new SiteRulesVersions(connection)
    this.audit = new Audit(connection)
    this.users = new Users(connection)
    this.sessions = new Sessions(connection)
    this.tokens = new Tokens(connection)
    this.answerLinks = new AnswerLinks(connection)
    this.siteTests = new SiteTests(connection)
    this.ailments = new Ailments(connection)
    this.attempts = new Attempts(connection)
  }

  /**
   * Takes the folder, opens the file and brings it up to date. Throws `GatehouseError`: `store_locked`,
   * `store_newer`, `store_corrupt`, `store_unwritable`, `disk_full`, `store_failed`.
   */
  start(): void {
    const { dir, clock } = this.#options
    const file = this.#file
    try {
      mkdirSync(dir, { recursive: true, mode: 0o700 })
    } catch (error) {
      throw storeError(error, dir)
    }
    this.#lock.take(clock.now())
    try {
      if (this.#options.mends) openMended(this.#connection, file, clock.now(), this.#log)
      else this.#connection.open(file)
      const copy = migrate(this.#connection, file)
      if (copy) this.#log.info({ copy }, 'the database was brought up to date; its former state is kept')
      this.#connection.configure()
      this.#commits.open()
      this.clockShift.start()
      if (this.meta.get('box_id') === null) this.#mintBoxId()
      this.#watch(file, inodeOf(file))
    } catch (error) {
      this.stop()
      throw storeError(error, file)
    }
  }

  /** Commits what waits and closes the file. */
  stop(): void {
    this.#unwatch()
    this.#commits.close()
    this.#connection.close()
    this.#lock.release()
  }

  /**
   * Runs `job` inside the transaction of this event-loop turn and resolves with what it returned once that is
   * on the disk. A job is synchronous and changes nothing but the store. If it throws, the whole turn's jobs
   * are rolled back and rejected, unless it was given with `canFail`: then it alone is undone and rejected,
   * at the cost of a savepoint. Rejects with `disk_full` or `store_failed` when the disk fails: nothing of
   * the batch is stored then.
   */
  write<T>(job: () => T, options: { canFail?: boolean } = {}): Promise<T> {
    return this.#commits.write(job, options.canFail === true) as Promise<T>
  }

  /** Since the start: commits, jobs in them, and jobs that failed. */
  get counts(): Readonly<{ commits: number; jobs: number; failed: number }> {
    return this.#commits.counts
  }

  /** Copies the log into the file now: what was cut off the file's end is given back to the disk. */
  checkpoint(): void {
    this.#commits.checkpoint()
  }

  /**
   * Nothing that was deleted lies in the files of the database after this, as far as the pages that are free were given
   * back before: the log is copied and cut to nothing. A file from before deleted rows were overwritten is written anew,
   * once. False where somebody else reads the file right now (a copy is being made) or there is no room: try again then.
   */
  leaveNoTrace(): boolean {
    const anew = this.meta.get(CLEAN) === null
    if (!this.#commits.cutLog(anew)) return false
    if (anew) this.write(() => this.meta.set(CLEAN, 'yes')).catch(() => undefined)
    return true
  }

  /** How often the log was copied into the file since the start, and how often that failed for the time being. */
  get checkpoints(): Readonly<{ done: number; failed: number }> {
    return this.#commits.checkpoints
  }

  get #file(): string {
    return join(this.#options.dir, this.#options.file ?? 'gatehouse.db')
  }

  /** A data folder that was moved or removed takes every later promise with it: nothing may go on as if it were there. */
  #watch(file: string, opened: number | null): void {
    this.#unwatch = this.#options.clock.after(WATCH_MS, () => {
      if (inodeOf(file) === opened) return this.#watch(file, opened)
      const message = `${file} is not there any more: the data folder was moved or removed while the box ran.`
      this.#fatal(new GatehouseError('data_folder_gone', message, { status: 500 }))
    })
  }

  #mintBoxId(): void {
    const id = mintId('box')
    this.write(() => {
      this.meta.set('box_id', id)
      this.meta.set(CLEAN, 'yes')
    }).catch(() => undefined)
    this.#commits.flush()
  }

  #fatal(error: GatehouseError): void {
    this.#log.fatal(
      { code: error.code, error: error.message },
      'the disk cannot be trusted any more; stopping',
    )
    if (error.code === 'store_corrupt' && this.#options.mends) doubt(this.#file)
    if (this.#options.onFatal) this.#options.onFatal(error)
    // An exit would close the database, and closing it would sync once more what could not be synced.
    else process.kill(process.pid, 'SIGKILL')
  }
}

/** Number of the file on its disk; null where it cannot be found. */
function inodeOf(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.ino ?? null
}

/** The next start looks at all of it; where even that cannot be noted, at as much as it has time for. */
function doubt(file: string): void {
  try {
    markDamaged(file)
  } catch {
    // The process ends because its disk fails.
  }
}
