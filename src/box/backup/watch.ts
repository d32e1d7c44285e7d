import type { Clock } from '../../core/index.ts'
import type { Site } from '../../site/index.ts'
import type { Connection } from '../connections.ts'
import { STATE_DIR } from '../update/status.ts'
import { backupStatusIn } from './status.ts'

/** A backup is made each night: one that is older was missed more than once. */
const OLD_MS = 60 * 3_600_000

/** Whether the backups that the site asks for are made; who makes them is root, by a timer. */
export class BackupWatch implements Connection {
  readonly name = 'Backup'
  readonly #site: () => Site
  readonly #clock: Clock
  readonly #stateDir: string

  constructor(site: () => Site, clock: Clock, stateDir = STATE_DIR) {
    this.#site = site
    this.#clock = clock
    this.#stateDir = stateDir
  }

  get problem(): string | null {
    const { backups } = this.#site()
    if (backups === null) return null
    const { made_at: made, problem } = backupStatusIn(this.#stateDir)
    if (problem !== null) return problem
    const old = backups.at !== null && made !== null && this.#clock.now() - Date.parse(made) > OLD_MS
    return old ? `The newest backup is of ${made}: look at systemctl status gatehouse-backup.timer.` : null
  }

  async start(): Promise<void> {}
  async reload(): Promise<void> {}
  async stop(): Promise<void> {}
}
