import { messageOf } from '../../core/index.ts'
import type { EngineDeps } from '../ports.ts'
import type { UpkeepView } from '../types.ts'
import { Disk } from './disk.ts'
import { Retention } from './retention.ts'

/** What keeps the box in order over the years: room on its disk, and that what is old goes. */
export class Upkeep {
  readonly #disk: Disk
  readonly #retention: Retention

  constructor(deps: EngineDeps) {
    this.#retention = new Retention(deps, () => this.#disk.low)
    this.#disk = new Disk(deps, () => {
      this.#retention
        .makeRoom()
        .catch(error => deps.log.error({ error: messageOf(error) }, 'no room could be made on the disk'))
    })
  }

  async start(): Promise<void> {
    await this.#disk.start()
    this.#retention.start()
  }

  async stop(): Promise<void> {
    this.#disk.stop()
    await this.#retention.stop()
  }

  /** Why no new work is taken, or null. */
  get full(): string | null {
    return this.#disk.low ? this.#disk.why : null
  }

  view(): UpkeepView {
    return { low: this.#disk.low, free_bytes: this.#disk.freeBytes, stored_bytes: this.#retention.bytes }
  }
}
