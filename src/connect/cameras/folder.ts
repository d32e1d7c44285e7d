import type { Stats } from 'node:fs'
import { type Clock, GatehouseError, type Log, type Picture } from '../../core/index.ts'
import type { Driver } from './driver.ts'
import { FolderWatch } from './folder-watch.ts'
import { isWithin, pictureFiles, readWhole } from './picture-files.ts'

/** Looks again this soon while a file is still being written. */
const SOON_MS = 250
/** Looks again this often where the system does not tell of changes (network file systems, a folder made anew). */
const SELDOM_MS = 5_000
/** A folder with so many files that a look takes long is looked at less often: looking takes 1 % of the time. */
const REST_PER_LOOK = 100
const MOST_SELDOM_MS = 60_000
/** A file whose end does not look like one is taken as it is once it has stood still for this long. */
const STILL_MS = 2_000
/** As many new files of one look become events; of more, the newest. */
const MOST_NEW = 32
/** The newest files that are tried before a camera counts as offline. */
const MOST_TRIED = 8

export interface FolderCameraOptions {
  id: string
  /** Absolute path. */
  folder: string
  /** What the folder must not lead out of, links resolved; null: it may be anywhere. */
  root: string | null
  /** Makes the folder where it is not there: right for our own data, wrong for a path that was mistyped. */
  makes: boolean
  clock: Clock
  log: Log
  /** A file has arrived, whole. */
  onPicture: (picture: Picture, file: string) => void
}

type Stamp = Pick<Stats, 'mtimeMs' | 'size' | 'ino'>

/**
 * A folder as a camera: the newest JPEG, PNG or WebP in it is its picture. A picture's time is when its file was
 * last written, or for one that arrived while we watched, when it arrived (copies often keep an old date).
 */
export class FolderCamera implements Driver {
  readonly place = null
  readonly rests = false
  readonly #options: FolderCameraOptions
  readonly #watch: FolderWatch
  /** What has been dealt with, and when it arrived if that was seen. */
  #known = new Map<string, Stamp & { arrivedAt: number | null }>()
  /** Files that are still being written, since when they look as they do. */
  #growing = new Map<string, Stamp & { since: number }>()
  #cancel: (() => void) | null = null
  #running = false
  #looking: Promise<void> | null = null
  #again = false
  /** Arrivals that became no event because too many came at once. */
  shed = 0

  constructor(options: FolderCameraOptions) {
    this.#options = options
    this.#watch = new FolderWatch(options.folder, options.makes, () => this.#wake())
  }

  /** Resolves when what is in the folder is known: only what comes later is an arrival. */
  async start(): Promise<void> {
    this.#running = true
    for (const { name, stats } of await this.#files())
      this.#known.set(name, { ...stamp(stats), arrivedAt: null })
    if (!this.#running) return
    await this.#watch.renew()
    if (this.problem) this.#options.log.warn({ camera: this.#options.id }, this.problem)
    this.#schedule(SELDOM_MS)
  }

  async stop(): Promise<void> {
    this.#running = false
    this.#cancel?.()
    this.#watch.stop()
    await this.#looking
  }

  /** Why the camera is offline for now, in one line; null: its folder is there. */
  get problem(): string | null {
    const { id, folder } = this.#options
    return this.#watch.isThere
      ? null
      : `camera ${id} is offline: there is no folder ${folder}; make it, or correct the path.`
  }

  /** The newest whole picture. Rejects with `camera_offline`. */
  async snapshot(): Promise<Picture> {
    const { id, folder, clock } = this.#options
    const files = await this.#files()
    const dated = files.map(file => ({ ...file, at: this.#timeOf(file.name, file.stats) }))
    dated.sort((a, b) => b.at - a.at || (a.name < b.name ? 1 : -1))
    for (const { name, stats, at } of dated.slice(0, MOST_TRIED)) {
      const read = await readWhole(folder, name, stats)
      if (!read || !(read.ended || clock.now() - stats.mtimeMs > STILL_MS)) continue
      return { bytes: read.bytes, takenAt: Math.round(Math.min(at, clock.now())), source: `camera ${id}` }
    }
    throw new GatehouseError(
      'camera_offline',
      this.problem ?? `camera ${id} has no picture: put a JPEG, PNG or WebP into its folder.`,
      { status: 502 },
    )
  }

  #timeOf(name: string, stats: Stats): number {
    const known = this.#known.get(name)
    const arrivedAt = known && same(known, stats) ? known.arrivedAt : null
    return Math.max(stats.mtimeMs, arrivedAt ?? 0)
  }

  #wake(): void {
    if (!this.#running) return
    this.#again = true
    // While a file grows, each of its writes wakes us: the next look is near enough.
    if (!this.#looking && this.#growing.size === 0) this.#schedule(0)
  }

  #schedule(ms: number): void {
    this.#cancel?.()
    this.#cancel = this.#options.clock.after(ms, () => {
      this.#again = false
      const began = performance.now()
      this.#looking = this.#look()
        .catch(error =>
          this.#options.log.warn({ camera: this.#options.id, error: String(error) }, 'cannot look'),
        )
        .finally(() => {
          this.#looking = null
          const seldom = Math.max(SELDOM_MS, (performance.now() - began) * REST_PER_LOOK)
          const rest = this.#again ? 0 : Math.min(seldom, MOST_SELDOM_MS)
          if (this.#running) this.#schedule(this.#growing.size > 0 ? SOON_MS : rest)
        })
    })
  }

  async #look(): Promise<void> {
    await this.#watch.renew()
    const files = await this.#files()
    const now = this.#options.clock.now()
    const names = new Set(files.map(file => file.name))
    for (const name of this.#known.keys()) if (!names.has(name)) this.#known.delete(name)
    for (const name of this.#growing.keys()) if (!names.has(name)) this.#growing.delete(name)
    const fresh = files.filter(({ name, stats }) => {
      const known = this.#known.get(name)
      return !known || !same(known, stats)
    })
    fresh.sort((a, b) => a.stats.ctimeMs - b.stats.ctimeMs)
    for (const { name, stats } of fresh.splice(0, Math.max(0, fresh.length - MOST_NEW))) {
      this.shed++
      this.#known.set(name, { ...stamp(stats), arrivedAt: null })
    }
    for (const { name, stats } of fresh) {
      if (!this.#running) return
      await this.#consider(name, stats, now)
    }
  }

  async #consider(name: string, stats: Stats, now: number): Promise<void> {
    const { id, folder, onPicture, log } = this.#options
    const old = this.#known.get(name)
    const before = this.#growing.get(name)
    if (before && !same(before, stats)) {
      this.#growing.set(name, { ...stamp(stats), since: now })
      return
    }
    const since = before?.since ?? now
    const read = await readWhole(folder, name, stats)
    const still = now - since >= STILL_MS
    if (!still && !read?.ended) {
      this.#growing.set(name, { ...stamp(stats), since })
      return
    }
    this.#growing.delete(name)
    // A file whose date was only set back has not arrived anew.
    const arrived = read !== null && !(old && old.ino === stats.ino && stats.mtimeMs < old.mtimeMs)
    this.#known.set(name, { ...stamp(stats), arrivedAt: arrived ? now : null })
    if (arrived) {
      onPicture({ bytes: read.bytes, takenAt: now, source: `camera ${id}` }, name)
    } else if (!read) log.debug({ camera: id }, 'a file in the folder is no picture')
  }

  async #files(): Promise<{ name: string; stats: Stats }[]> {
    const { folder, root } = this.#options
    if (root !== null && !(await isWithin(root, folder))) return []
    return pictureFiles(folder)
  }
}

function stamp({ mtimeMs, size, ino }: Stats): Stamp {
  return { mtimeMs, size, ino }
}

function same(a: Stamp, b: Stamp): boolean {
  return a.mtimeMs === b.mtimeMs && a.size === b.size && a.ino === b.ino
}
