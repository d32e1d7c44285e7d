import { resolve } from 'node:path'
import type { JobContext } from '../types.ts'
import { type Opened, openLibrary } from './library.ts'
import { LoadedModel } from './model.ts'
import type { LanguageFile } from './protocol.ts'

/** The one model in memory: two of them would hardly ever fit. */
export class Slot {
  #libraryKey = ''
  #library: Promise<Opened> | null = null
  #modelKey = ''
  #model: Promise<LoadedModel> | null = null

  /** The model that is wanted; another one is let go first. What could not be loaded is tried afresh. */
  take(wanted: LanguageFile, context: JobContext): Promise<LoadedModel> {
    const threads = wanted.threads ?? context.threads
    const key = JSON.stringify([wanted, threads])
    if (this.#model && this.#modelKey === key) return this.#model
    const model = this.#load(wanted, resolve(context.modelsDir, wanted.file), threads)
    this.#model = model
    this.#modelKey = key
    model.catch(() => {
      if (this.#model === model) this.#model = null
    })
    return model
  }

  /** Gives all memory back. */
  async close(): Promise<void> {
    await this.#unloadModel()
    await this.#unloadLibrary()
  }

  async #load(wanted: LanguageFile, path: string, threads: number): Promise<LoadedModel> {
    await this.#unloadModel()
    const key = JSON.stringify([threads, wanted.gpu ?? false])
    if (this.#libraryKey !== key) await this.#unloadLibrary()
    this.#library ??= openLibrary(threads, wanted.gpu ?? false)
    this.#libraryKey = key
    return LoadedModel.load(path, wanted, await this.#library)
  }

  async #unloadModel(): Promise<void> {
    const model = this.#model
    this.#model = null
    await model?.then(loaded => loaded.unload()).catch(() => {})
  }

  async #unloadLibrary(): Promise<void> {
    const library = this.#library
    this.#library = null
    await library?.then(({ llama }) => llama.dispose()).catch(() => {})
  }
}
