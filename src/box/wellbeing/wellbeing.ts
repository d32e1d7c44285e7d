import { type Clock, type Log, messageOf } from '../../core/index.ts'
import type { Site } from '../../site/index.ts'
import type { Store } from '../../store/index.ts'
import { type Ailment, ailmentIn, type News, next } from './ailment.ts'
import { type Sighted, type SignSources, Signs, type Sort } from './signs.ts'
import { BEAT_MS, Uptime } from './uptime.ts'
import { type Words, wordsFor, wordsForMany } from './words.ts'

const TICK_MS = 10_000
/** A camera of which nothing was heard for so long is looked at. */
const LOOK_MS = 2 * 60_000
/** Cameras that are looked at in one tick, and at the same moment. */
const LOOKS = 40
const AT_ONCE = 8
/** More of one sort in the same moment are told as one. */
const ONE_BY_ONE = 3

/** How long something is unwell before that is worth a word. */
const GRACE_MS: Record<Sort, number> = {
  camera: 2 * 60_000,
  connection: 2 * 60_000,
  channel: 2 * 60_000,
  model: 5 * 60_000,
  process: 0,
}

export interface WellbeingOptions extends SignSources {
  site: () => Site
  store: Store
  clock: Clock
  log: Log
  /** Asks a camera for a picture; see its condition then. Never rejects. */
  look(camera: string, signal: AbortSignal): Promise<void>
  tell(words: Words & { cameraId?: string }): Promise<void>
}

/**
 * Tells the owner what is not well on this box, and when it is well again: once each, also over restarts. The disk and
 * the site file speak for themselves.
 */
export class Wellbeing {
  readonly #options: WellbeingOptions
  readonly #signs: Signs
  readonly #uptime: Uptime
  readonly #ailments = new Map<string, Ailment>()
  /** When cameras were looked at last, by their ids. */
  readonly #looked = new Map<string, number>()
  #abort = new AbortController()
  #cancel: (() => void) | null = null
  #working: Promise<void> = Promise.resolve()
  #beatAt = 0

  constructor(options: WellbeingOptions) {
    this.#options = options
    this.#signs = new Signs(options)
    this.#uptime = new Uptime(options.store, options.clock)
  }

  async start(): Promise<void> {
    const { store, clock, site } = this.#options
    this.#abort = new AbortController()
    this.#beatAt = clock.now()
    for (const { key, value } of store.ailments.all()) {
      const ailment = ailmentIn(value)
      if (ailment) this.#ailments.set(key, ailment)
      const [sort, id = ''] = split(key)
      if (sort === 'connection') this.#signs.remember(id)
    }
    const words = await this.#uptime.start(site().timeZone)
    if (words) await this.#options.tell(words)
    this.#schedule()
  }

  async stop(): Promise<void> {
    this.#abort.abort()
    this.#cancel?.()
    await this.#working
    // A store that has failed says so itself, and the next start says the rest.
    if (this.#beatAt) await this.#uptime.stop().catch(() => undefined)
    this.#beatAt = 0
  }

  /** What people were told is not well, each as `<sort> <id>`. */
  get told(): readonly string[] {
    return [...this.#ailments].flatMap(([key, { told }]) => (told === 'nothing' ? [] : [key]))
  }

  #schedule(): void {
    if (this.#abort.signal.aborted) return
    const { clock, log } = this.#options
    this.#cancel = clock.after(TICK_MS, () => {
      this.#working = this.#tick()
        .catch(error => log.warn({ error: messageOf(error) }, 'it was not looked how the box is'))
        .finally(() => this.#schedule())
    })
  }

  async #tick(): Promise<void> {
    const now = this.#options.clock.now()
    await this.#lookAround(now)
    if (this.#abort.signal.aborted) return
    await this.#judge()
    if (now - this.#beatAt < BEAT_MS) return
    this.#beatAt = now
    const words = await this.#uptime.beat()
    if (words) await this.#options.tell(words)
  }

  /** Cameras that nobody asks are asked now and then, so that one that is gone is missed. */
  async #lookAround(now: number): Promise<void> {
    const { site, cameras, look } = this.#options
    const conditions = cameras()
    const due = site()
      .cameras.filter(({ id, source }) => {
        if (!source || source.kind === 'folder') return false
        const { lastFrameAt = null, problem = null } = conditions.get(id) ?? {}
        if (problem !== null) return true
        // The first look comes a while after the start: not all of them at once, when there is enough to do.
        const seen = Math.max(lastFrameAt ?? 0, this.#looked.get(id) ?? 0)
        if (seen === 0) this.#looked.set(id, now)
        return seen > 0 && now - seen >= LOOK_MS
      })
      .sort((a, b) => (this.#looked.get(a.id) ?? 0) - (this.#looked.get(b.id) ?? 0))
      .slice(0, LOOKS)
    const { signal } = this.#abort
    const visit = async () => {
      for (let camera = due.shift(); camera && !signal.aborted; camera = due.shift()) {
        this.#looked.set(camera.id, now)
        await look(camera.id, signal)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, visit))
  }

  async #judge(): Promise<void> {
    const now = this.#options.clock.now()
    const seen = this.#signs.read(now)
    const news: { of: Sighted; news: News }[] = []
    const changed = new Map<string, Ailment | null>()
    const known = new Set<string>()
    for (const of of seen) {
      const key = `${of.sort} ${of.id}`
      known.add(key)
      const before = this.#ailments.get(key) ?? null
      const after = next(before, of.sign, now, GRACE_MS[of.sort])
      if (after.news) news.push({ of, news: after.news })
      if (JSON.stringify(after.ailment) !== JSON.stringify(before)) changed.set(key, after.ailment)
    }
    // Whoever took it out of the site knows that it is gone.
    for (const key of this.#ailments.keys()) if (!known.has(key)) changed.set(key, null)
    // Told first: a power cut between the two tells it twice, rather than never.
    await this.#tell(news)
    await this.#keep(changed)
  }

  async #tell(all: { of: Sighted; news: News }[]): Promise<void> {
    const { tell, site } = this.#options
    const groups = Map.groupBy(all, ({ of, news }) => `${of.sort} ${news.kind}`)
    for (const group of groups.values()) {
      const [first] = group
      if (!first) continue
      if (group.length > ONE_BY_ONE) {
        const each = group.map(({ of, news }) => ({ name: of.name, news }))
        await tell(wordsForMany(first.of.sort, first.news.kind, each))
        continue
      }
      for (const { of, news } of group)
        await tell({
          ...wordsFor(of, news, site().timeZone),
          ...(of.sort === 'camera' && { cameraId: of.id }),
        })
    }
  }

  async #keep(changed: ReadonlyMap<string, Ailment | null>): Promise<void> {
    if (!changed.size) return
    const { store } = this.#options
    await store.write(() => {
      for (const [key, ailment] of changed)
        if (ailment) store.ailments.set(key, JSON.stringify(ailment))
        else store.ailments.remove(key)
    })
    for (const [key, ailment] of changed)
      if (ailment) this.#ailments.set(key, ailment)
      else this.#ailments.delete(key)
  }
}

function split(key: string): [string, string] {
  const at = key.indexOf(' ')
  return [key.slice(0, at), key.slice(at + 1)]
}
