import { type Clock, GatehouseError, type IncomingEvent, type Log, messageOf } from '../../core/index.ts'
import type { Admission, ListensFor } from '../../engine/index.ts'
import { type Provider, readTracks, type TrackFrame } from '../../kinds/index.ts'
import type { Site } from '../../site/index.ts'
import type { Wanted } from '../nats/line.ts'
import type { Listener } from '../nats/nats.ts'
import { tokenOf } from '../nats/subjects.ts'
import { BestFrames } from './best-frame.ts'
import { CameraTracks, type Stay } from './camera-tracks.ts'
import { eventOf } from './stay-event.ts'
import { cameraOf, isCopy, subjectsOf } from './subjects.ts'
import { watchesOf } from './watches.ts'

/** What is older is late, or somebody replays it. */
const FRESH_MS = 5 * 60_000
/** For so long what the detector itself said makes the domain event that says the same unnecessary. */
const COPY_MS = 10_000
/** A stay that nobody could take is told again, not at once. */
const AGAIN_MS = 2_000
/** What was wrong with a message is told for so long, unless a good one follows. */
const TROUBLE_MS = 60_000
/** More than any detector sends. */
const MOST_BYTES = 256 * 1024

export interface TracksOptions {
  site: () => Site
  submit(event: IncomingEvent): Promise<Admission[]>
  /** Ports on which this box itself listens. */
  ownPorts: () => readonly number[]
  clock: Clock
  log: Log
}

interface Line {
  /** The camera's id at this site. */
  id: string
  tracks: CameraTracks
  /** When the detector itself was heard last (epoch ms). */
  heardAt: number
  trouble: { text: string; at: number } | null
}

/** What detectors tell of the things that they follow, turned into the events that workflows wait for. */
export class Tracks implements Provider, Listener {
  readonly name = 'Tracks'
  readonly #options: TracksOptions
  readonly #frames: BestFrames
  /** By what stands for the camera in subjects. */
  #lines = new Map<string, Line>()
  #undrawn: readonly string[] = []
  readonly #telling = new Set<Promise<void>>()
  readonly #counts = { malformed: 0, mismatched: 0, stale: 0, odd: 0, failed: 0 }
  /** Of cameras that are not watched any more. */
  readonly #before = { late: 0, crowd: 0 }

  constructor(options: TracksOptions) {
    this.#options = options
    this.#frames = new BestFrames(options)
  }

  get lacks(): string | null {
    if (this.#options.site().nats) return null
    return "nobody tells this box what the cameras see: name the NVR's server under nats in the site file"
  }

  /** Whoever brings the messages asks for its subjects, and begins. */
  async start(): Promise<void> {}

  async reload(): Promise<void> {}

  /** What was seen is still told. */
  async stop(): Promise<void> {
    this.#watch([])
    await Promise.all(this.#telling)
  }

  /**
   * The subjects of the cameras that workflows watch; from now on these are followed, and no others. In no queue group:
   * a box that hears some of the pictures only cannot count seconds.
   */
  wanted(listens: readonly ListensFor[]): Wanted[] {
    this.#watch(listens)
    const take = (subject: string, bytes: Uint8Array) => this.#take(subject, bytes)
    return [...this.#lines.keys()].flatMap(camera =>
      subjectsOf(camera).map(subject => ({ subject, queue: null, take })),
    )
  }

  /** What keeps workflows from being told of what they watch for, in one line. */
  get problem(): string | null {
    const since = this.#options.clock.now() - TROUBLE_MS
    const lines = [...this.#lines.values()]
    const trouble = lines.find(line => line.trouble !== null && line.trouble.at >= since)?.trouble
    if (trouble) return trouble.text
    const torn = lines.find(({ tracks }) => tracks.isTorn)
    if (torn)
      return `camera ${torn.id}: two detectors tell of it, or one that starts anew all the time: let one do it.`
    return this.#undrawn[0] ?? null
  }

  /** What was left out since the start, by reason. */
  get shed(): Readonly<Record<string, number>> {
    const { late, crowd } = this.#before
    const lines = [...this.#lines.values()].map(({ tracks }) => tracks)
    return {
      ...this.#counts,
      late: lines.reduce((sum, each) => sum + each.late, late),
      crowd: lines.reduce((sum, each) => sum + each.shed, crowd),
    }
  }

  #watch(listens: readonly ListensFor[]): void {
    const { byCamera, undrawn } = watchesOf(listens, this.#options.site())
    const old = this.#lines
    this.#undrawn = undrawn
    this.#lines = new Map()
    for (const [id, watches] of byCamera) {
      const camera = tokenOf(id)
      const known = old.get(camera)
      const line = known?.id === id ? known : { id, tracks: new CameraTracks(), heardAt: 0, trouble: null }
      if (line === known) old.delete(camera)
      line.tracks.watch(watches)
      this.#lines.set(camera, line)
    }
    for (const { tracks } of old.values()) {
      this.#before.late += tracks.late
      this.#before.crowd += tracks.shed
    }
  }

  #take(subject: string, bytes: Uint8Array): void {
    const camera = cameraOf(subject)
    const line = this.#lines.get(camera)
    if (!line) return
    const now = this.#options.clock.now()
    const copy = isCopy(subject)
    if (copy && Math.abs(now - line.heardAt) < COPY_MS) return
    const frame = this.#read(line, camera, bytes, now)
    if (!frame) return
    line.trouble = null
    if (!copy) line.heardAt = now
    this.#counts.odd += frame.left
    for (const stay of line.tracks.take(frame)) this.#tell(stay, frame, line)
  }

  #read(line: Line, camera: string, bytes: Uint8Array, now: number): TrackFrame | null {
    const trouble = (reason: 'malformed' | 'mismatched' | 'stale', why: string) => {
      this.#counts[reason]++
      line.trouble = { text: `camera ${line.id}: what its detector tells is left out: ${why}`, at: now }
      return null
    }
    let frame: TrackFrame
    try {
      if (bytes.length > MOST_BYTES) return trouble('malformed', `a message has ${bytes.length} bytes.`)
      frame = readTracks(utf8.decode(bytes), now, line.id)
    } catch (error) {
      return trouble('malformed', error instanceof GatehouseError ? error.message : 'it is not UTF-8.')
    }
    if (tokenOf(frame.cameraId) !== camera)
      return trouble('mismatched', 'it names another camera than its subject does.')
    if (now - frame.at <= FRESH_MS) return frame
    const minutes = Math.round((now - frame.at) / 60_000)
    return trouble(
      'stale',
      `the pictures are dated ${minutes} minutes ago: set its clock, or that of this box.`,
    )
  }

  #tell(stay: Stay, frame: TrackFrame, line: Line): void {
    const telling = this.#offer(stay, frame, line.id)
      .catch(error => {
        this.#counts.failed++
        this.#options.log.warn(
          { camera: line.id, error: messageOf(error) },
          'somebody in a zone started no run',
        )
        return false
      })
      .then(taken => {
        if (!taken) this.#options.clock.after(AGAIN_MS, stay.again)
        this.#telling.delete(telling)
      })
    this.#telling.add(telling)
  }

  /** Whether everybody who waits for it could take it. */
  async #offer(stay: Stay, frame: TrackFrame, cameraId: string): Promise<boolean> {
    const { clock, submit } = this.#options
    const picture = stay.track.best ? await this.#frames.picture(stay, frame) : null
    const admissions = await submit(eventOf(stay, frame, { cameraId, now: clock.now(), picture }))
    return !admissions.some(({ reason }) => reason?.code === 'queue_full' || reason?.code === 'disk_low')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
