import { type FSWatcher, watch } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'

/** Tells of changes in a folder, also after the folder was removed and made anew; makes it if it is not there. */
export class FolderWatch {
  readonly #folder: string
  readonly #onChange: () => void
  #watcher: FSWatcher | null = null
  /** Which folder it is that is watched. */
  #watched: string | null = null
  #stopped = false

  constructor(folder: string, onChange: () => void) {
    this.#folder = folder
    this.#onChange = onChange
  }

  /** Begins to watch, or watches the folder that stands there now. Never rejects: whoever calls looks by itself too. */
  async renew(): Promise<void> {
    const identity = await this.#identity()
    if (this.#stopped || identity === this.#watched) return
    this.#close()
    if (identity === null) return
    try {
      const watcher = watch(this.#folder, { persistent: false }, this.#onChange)
      watcher.on('error', () => this.#close())
      this.#watcher = watcher
      this.#watched = identity
    } catch {
      // No more watches to be had from the system.
    }
  }

  stop(): void {
    this.#stopped = true
    this.#close()
  }

  #close(): void {
    this.#watcher?.close()
    this.#watcher = null
    this.#watched = null
  }

  /** An inode alone is not enough: the number of a removed folder is given to the next one. */
  async #identity(): Promise<string | null> {
    try {
      await mkdir(this.#folder, { recursive: true })
      const { dev, ino, birthtimeMs } = await stat(this.#folder)
      return `${dev} ${ino} ${birthtimeMs}`
    } catch {
      return null
    }
  }
}
