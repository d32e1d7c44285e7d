import { type Clock, type Log, messageOf } from '../core/index.ts'
import { copiesIn } from '../store/index.ts'
import type { Connection } from './connections.ts'
import type { Tell } from './safe-mode.ts'

const HOUR_MS = 3_600_000
/** A copy is a day old before there is another one. */
const EVERY_MS = 24 * HOUR_MS
/** Not in the first minutes: a box that is started has enough to do, and may be stopped again. */
const FIRST_MS = 10 * 60_000
/** What does not get done in this is given up. */
const LONGEST_MS = 30 * 60_000

export interface DailyCopyOptions {
  dataDir: string
  /** This program. */
  command: readonly string[]
  clock: Clock
  log: Log
  tell: Tell
}

/** Has a copy of the database made once a day, by a process of its own: the engine goes on meanwhile. */
export class DailyCopy implements Connection {
  readonly name = 'Daily copy'
  /** Why the last one could not be made. */
  problem: string | null = null
  readonly #options: DailyCopyOptions
  #cancel: () => void = () => {}
  #child: Bun.Subprocess | null = null
  #stopped = true

  constructor(options: DailyCopyOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    this.#stopped = false
    this.#after(FIRST_MS)
  }

  async reload(): Promise<void> {}

  async stop(): Promise<void> {
    this.#stopped = true
    this.#cancel()
    this.#child?.kill()
    await this.#child?.exited
  }

  /** Another one now; why it could not be made, or null. One that is being made is waited for, and does not count. */
  async renew(): Promise<string | null> {
    await this.#child?.exited
    return this.#make()
  }

  #after(ms: number): void {
    this.#cancel = this.#options.clock.after(ms, () => {
      this.#look()
        .catch(error => this.#options.log.error({ error: messageOf(error) }, 'no copy of the database'))
        .finally(() => {
          if (!this.#stopped) this.#after(HOUR_MS)
        })
    })
  }

  async #look(): Promise<void> {
    const { dataDir, clock, log, tell } = this.#options
    const now = clock.now()
    const newest = copiesIn(dataDir).find(({ at }) => at <= now)
    if (newest && now - newest.at < EVERY_MS) return
    const why = await this.#make()
    if (this.#stopped) return
    if (why !== null) log.warn({ why }, 'no copy of the database could be made')
    const changed = (why === null) !== (this.problem === null)
    this.problem = why
    if (!changed) return
    if (why === null)
      await tell({ title: 'The database is copied again', body: 'Once a day.', severity: 'low' })
    else await tell({ title: 'No copy of the database could be made', body: why })
  }

  /** Why it could not be made, or null. */
  async #make(): Promise<string | null> {
    const { command, dataDir } = this.#options
    const child = Bun.spawn([...command, 'backup', '--copy', '--data', dataDir], {
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
      timeout: LONGEST_MS,
    })
    this.#child = child
    const said = await new Response(child.stderr).text()
    const code = await child.exited
    this.#child = null
    return code === 0
      ? null
      : said
          .trim()
          .split('\n')
          .at(-1)
          ?.replace(/^gatehouse: /, '') || 'it took too long'
  }
}
