import { parseDuration } from '../../contract/index.ts'
import { type Clock, type IncomingEvent, iso, type Log, messageOf } from '../../core/index.ts'
import type { Admission, ListensFor } from '../../engine/index.ts'
import type { Site } from '../../site/index.ts'
import type { CameraState } from './health.ts'
import { type OutageStore, Outages } from './outages.ts'

const TICK_MS = 5_000
/** A camera that works is looked at this often, unless somebody had a picture of it meanwhile. */
const LOOK_MS = 15_000
/** Cameras that are looked at in the same moment: one that is silent takes seconds. */
const AT_ONCE = 16
/** Left out for these reasons, an event is offered again. */
const NO_ROOM: ReadonlySet<string | undefined> = new Set(['disk_low', 'queue_full'])

export interface CameraWatchOptions {
  site: () => Site
  cameras: {
    look(cameraId: string, signal: AbortSignal): Promise<void>
    state(cameraId: string): CameraState | null
  }
  engine: {
    listensFor(): ListensFor[]
    submit(event: IncomingEvent): Promise<Admission[]>
    /** What is in the way of a workflow now, or null. */
    standstill(workflowId: number): string | null
  }
  store: OutageStore
  clock: Clock
  log: Log
}

/** A workflow that wants to hear of cameras that give no picture. */
interface Wish {
  workflow: number
  forMs: number
  cameras: readonly string[]
}

/**
 * Looks at the cameras that workflows wait for going offline. Each workflow hears of an outage once, when it has lasted
 * as long as its file says; a camera that comes back ends it. An outage goes on over a restart of the box.
 */
export class CameraWatch {
  readonly name = 'Cameras'
  /** Cameras speak for themselves: see their conditions. */
  readonly problem = null
  readonly #options: CameraWatchOptions
  readonly #outages: Outages
  #abort = new AbortController()
  #cancel: (() => void) | null = null
  #looking: Promise<void> = Promise.resolve()

  constructor(options: CameraWatchOptions) {
    this.#options = options
    this.#outages = new Outages(options.store)
  }

  async start(): Promise<void> {
    this.#abort = new AbortController()
    this.#outages.start()
    for (const [id, { since }] of this.#outages.all()) this.#options.cameras.state(id)?.wasOffline(since)
    this.#schedule(0)
  }

  async reload(): Promise<void> {}

  async stop(): Promise<void> {
    this.#abort.abort()
    this.#cancel?.()
    await this.#looking
  }

  #schedule(ms: number): void {
    if (this.#abort.signal.aborted) return
    const { clock, log } = this.#options
    this.#cancel = clock.after(ms, () => {
      this.#looking = this.#turn()
        .catch(error => log.error({ error: messageOf(error) }, 'cameras could not be looked at'))
        .finally(() => this.#schedule(TICK_MS))
    })
  }

  async #turn(): Promise<void> {
    const wishes = this.#wishes()
    const wanted = [...new Set(wishes.flatMap(({ cameras }) => cameras))]
    const queue = [...wanted]
    const visit = async () => {
      for (let id = queue.shift(); id !== undefined; id = queue.shift()) await this.#visit(id, wishes)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, visit))
    if (!this.#abort.signal.aborted) await this.#outages.save(wanted)
  }

  async #visit(id: string, wishes: readonly Wish[]): Promise<void> {
    const { signal } = this.#abort
    if (this.#isDue(id)) await this.#options.cameras.look(id, signal)
    if (signal.aborted) return
    this.#note(id)
    for (const wish of wishes) if (wish.cameras.includes(id)) await this.#tell(wish, id)
  }

  #wishes(): Wish[] {
    const { site, engine } = this.#options
    const now = site()
    return engine.listensFor().flatMap(({ workflow, kind, params }): Wish[] => {
      if (kind !== 'camera_offline') return []
      const forMs = parseDuration(String(params.for)) ?? 0
      const asked = Array.isArray(params.cameras)
        ? params.cameras.flatMap(role => now.camerasWithRole(String(role)))
        : now.cameras.map(({ id }) => id)
      const cameras = asked.filter(id => now.camera(id)?.source)
      return [{ workflow: workflow.id, forMs, cameras: [...new Set(cameras)] }]
    })
  }

  #isDue(id: string): boolean {
    const { cameras, clock } = this.#options
    const condition = cameras.state(id)?.condition
    if (!condition || condition.offlineSince !== null) return true
    return clock.now() - (condition.lastFrameAt ?? 0) >= LOOK_MS
  }

  #note(id: string): void {
    const condition = this.#options.cameras.state(id)?.condition
    if (!condition) return
    if (condition.offlineSince !== null) this.#outages.began(id, condition.offlineSince)
    else if (condition.lastFrameAt !== null && this.#outages.ended(id))
      this.#options.log.info({ camera: id }, 'a camera gives pictures again')
  }

  async #tell({ workflow, forMs }: Wish, id: string): Promise<void> {
    const { clock, engine, log } = this.#options
    const outage = this.#outages.of(id)
    const now = clock.now()
    if (!outage || outage.told.has(workflow) || now - outage.since < forMs) return
    if (engine.standstill(workflow) !== null) return
    const event = offlineEvent(id, workflow, outage.since, now)
    try {
      const admissions = await engine.submit(event)
      if (!admissions.some(({ reason }) => NO_ROOM.has(reason?.code))) outage.told.add(workflow)
    } catch (error) {
      log.warn({ camera: id, error: messageOf(error) }, 'an outage started no run: it is tried again')
    }
  }
}

/** The same outage has the same id for a workflow, however often it is said. */
function offlineEvent(cameraId: string, workflowId: number, since: number, now: number): IncomingEvent {
  return {
    kind: 'camera_offline',
    id: `offline_${cameraId}_${since}`,
    at: now,
    cameraId,
    schema: null,
    source: null,
    severity: null,
    payload: { offline_seconds: Math.floor((now - since) / 1000), since: iso(since) },
    correlationId: null,
    chain: [],
    by: null,
    workflowId,
    pictures: [],
  }
}
