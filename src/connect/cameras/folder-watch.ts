import { type FSWatcher, watch } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'

/** Tells of changes in a folder, also after the folder was removed and made anew; makes it if it may. */
export class FolderWatch {
  readonly #folder: string
  readonly #onChange: () => void
  #watcher: FSWatcher | null = null
  /** Which folder it is that is watched. */
  #watched: string | null = null
  #isThere = true
  #stopped = false
  readonly #makes: boolean

  constructor(folder: string, makes: boolean, onChange: () => void) {
    this.#makes = makes
    this.#folder = folder
    this.#onChange = onChange
  }

  /** Whether the folder was there at the last look. */
  get isThere(): boolean {
    return this.#isThere
  }

  /** Begins to watch, or watches the folder that stands there now. Never rejects: whoever calls looks by itself too. */
  async renew(): Promise<void> {
    const identity = await this.#identity()
    this.#isThere = identity !== null
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
      if (this.#makes) await mkdir(this.#folder, { recursive: true })
      const { dev, ino, birthtimeMs } = await stat(this.#folder)
      return `${dev} ${ino} ${birthtimeMs}`
    } catch {
      return null
    }
  }
}
