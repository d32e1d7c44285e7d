import { readFile, stat } from 'node:fs/promises'
import { type Clock, GatehouseError, type Log, messageOf } from '../../core/index.ts'
import { Site } from '../../site/index.ts'
import { keepCopy, readCopy } from './site-copy.ts'

/**
 * Looks this often. The system could tell of changes, but of those of the database beside it, too, hundreds a second.
 */
const EVERY_MS = 1_000
/** No honest site file is larger. */
const MOST_BYTES = 4 * 1024 * 1024

export interface SiteFileOptions {
  file: string
  /** The text that is in force already. */
  text: string
  clock: Clock
  log: Log
  /** The file says something else, and all of it is right. */
  onSite(site: Site): Promise<void>
  /** The file cannot be used: what was in force stays. Null: it can again. */
  onProblem(problem: string | null): Promise<void>
}

/** The site file while the box runs: changed and right, it is taken over as a whole; changed and wrong, not at all. */
export class SiteFile {
  readonly #options: SiteFileOptions
  #text: string
  /** How the file looked last, and how it looked when it was read. */
  #seen = ''
  #stamp = ''
  #problem: string | null = null
  #cancel: (() => void) | null = null
  #running = false
  #looking: Promise<void> = Promise.resolve()

  constructor(options: SiteFileOptions) {
    this.#options = options
    this.#text = options.text
  }

  /** Why the file as it stands is not in force; null: it is. */
  get problem(): string | null {
    return this.#problem
  }

  start(): void {
    this.#running = true
    this.#looking = this.#keep()
    this.#schedule()
  }

  /** Without the copy the box only lacks something to start with after the file was broken. */
  #keep(): Promise<void> {
    const { file, log } = this.#options
    return keepCopy(file, this.#text).catch(error =>
      log.warn({ error: messageOf(error) }, 'no copy of the site file could be kept'),
    )
  }

  async stop(): Promise<void> {
    this.#running = false
    this.#cancel?.()
    await this.#looking
  }

  #schedule(): void {
    if (!this.#running) return
    this.#cancel = this.#options.clock.after(EVERY_MS, () => {
      this.#looking = this.#look()
        .catch(error =>
          this.#options.log.error({ error: messageOf(error) }, 'the site file was not taken over'),
        )
        .finally(() => this.#schedule())
    })
  }

  async #look(): Promise<void> {
    const { file, log } = this.#options
    const found = await stat(file).catch(() => null)
    const stamp = found ? `${found.mtimeMs} ${found.size} ${found.ino}` : 'none'
    // Editors write in several strokes: what they made counts once it stands still.
    const still = stamp === this.#seen
    this.#seen = stamp
    if (!still || stamp === this.#stamp) return
    // There was none from the beginning.
    if (!found && this.#text === '') return
    try {
      const text = await read(file, found?.size ?? null)
      this.#stamp = stamp
      if (isEmpty(text) && !isEmpty(this.#text)) throw emptied()
      if (text === this.#text && this.#problem === null) return
      const site = Site.load(text, file)
      if (text !== this.#text) await this.#options.onSite(site)
      this.#text = text
      await this.#keep()
      log.info({ file }, 'the site file was read anew')
      await this.#told(null)
    } catch (error) {
      // A right file that this box could not take over, its disk being full maybe, is tried again.
      this.#stamp = error instanceof GatehouseError && error.status >= 500 ? '' : stamp
      await this.#told(messageOf(error))
      if (!(error instanceof GatehouseError)) throw error
    }
  }

  async #told(problem: string | null): Promise<void> {
    if (problem === this.#problem) return
    this.#problem = problem
    await this.#options.onProblem(problem)
  }
}

/**
 * What a box starts with: the file, or where it has been broken or emptied since, the copy of what was in force (with
 * `problem`: why). Throws the file's error where there is no copy either.
 */
export async function siteToStart(
  file: string,
  text: string,
): Promise<{ site: Site; text: string; problem: string | null }> {
  const copy = await readCopy(file)
  try {
    if (isEmpty(text) && copy !== null && !isEmpty(copy)) throw emptied()
    return { site: Site.load(text, file), text, problem: null }
  } catch (error) {
    if (copy === null || !(error instanceof GatehouseError)) throw error
    return { site: Site.load(copy, file), text: copy, problem: messageOf(error) }
  }
}

function emptied(): GatehouseError {
  const message =
    'The site file is empty: what it said before stays in force. Write “cameras: {}” for a site with nothing.'
  return new GatehouseError('site_empty', message)
}

function isEmpty(text: string): boolean {
  return text.trim() === ''
}

/** A file that is gone is not a site with nothing: somebody may be replacing it. */
async function read(file: string, size: number | null): Promise<string> {
  if (size === null) throw new Error(`${file} is gone: what it said stays in force until it is back.`)
  if (size > MOST_BYTES) throw new Error(`${file} is larger than ${MOST_BYTES / 1024 / 1024} MB.`)
  return readFile(file, 'utf8')
}
