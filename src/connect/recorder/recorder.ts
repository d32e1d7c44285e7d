import { chmod, mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, GatehouseError, type Log } from '../../core/index.ts'
import type { Clip, Recorder } from '../../kinds/index.ts'
import type { Camera, Place, Site } from '../../site/index.ts'
import { asOffline, offline } from '../cameras/offline.ts'
import { Login } from '../http/login.ts'
import { OnvifDevice } from '../onvif/device.ts'
import { ffmpegPath } from '../rtsp/ffmpeg.ts'
import { type RecordOptions, recordStream } from '../rtsp/record.ts'
import type { Secrets } from '../secrets.ts'
import { Turns } from '../turns.ts'

const MEGABYTE = 1024 * 1024
/** A clip is cut off at this size. */
const MOST_BYTES = 200 * MEGABYTE
/** With less room than this beyond what has to stay free, none is begun. */
const LEAST_BYTES = 16 * MEGABYTE
/** What has to stay free where the site does not say. */
const STAYS_FREE = 256 * MEGABYTE
/** A file with nothing but its own head. */
const EMPTY_BYTES = 1_024
/** Clips at the same time, and those that wait to be begun. */
const AT_ONCE = 8
const WAITING = 8

export interface StreamRecorderOptions {
  site: () => Site
  secrets: Secrets
  dataDir: string
  /** Bytes that are free on the disk of the data folder. */
  free: () => Promise<number>
  clock: Clock
  log: Log
  /** Where ffmpeg is; default: where the system has it. */
  ffmpeg?: () => string | null
}

/** Records the streams of the site's cameras, as they come, into files that whoever keeps them takes away. */
export class StreamRecorder implements Recorder {
  readonly name = 'Clips'
  readonly problem = null
  readonly #options: StreamRecorderOptions
  readonly #dir: string
  readonly #turns = new Turns(AT_ONCE, WAITING)
  #cleared: Promise<void> | null = null

  constructor(options: StreamRecorderOptions) {
    this.#options = options
    this.#dir = join(options.dataDir, 'clips')
  }

  async start(): Promise<void> {
    await this.#clear()
  }

  /** Clears away what a box that was cut off had begun, once: runs that go on may record before all has started. */
  #clear(): Promise<void> {
    this.#cleared ??= rm(this.#dir, { recursive: true, force: true })
    return this.#cleared
  }

  async reload(): Promise<void> {}
  /** What is under way ends with the runs that wait for it. */
  async stop(): Promise<void> {}

  get lacks(): string | null {
    if (this.#ffmpeg === null) return 'clips need ffmpeg: install it (apt-get install ffmpeg)'
    const some = this.#options.site().cameras.some(camera => sourceOf(camera) !== null)
    return some
      ? null
      : 'no camera has a stream to record: name one under stream of the camera in the site file'
  }

  async clip({ cameraId, ms, signal }: Omit<Parameters<Recorder['clip']>[0], 'deliveryId'>): Promise<Clip> {
    const camera = this.#options.site().camera(cameraId)
    const source = camera && sourceOf(camera)
    if (!source) {
      const message = `camera ${cameraId} has no stream to record: name one under stream of the camera in the site file.`
      throw new GatehouseError('camera_unknown', message, { status: 404 })
    }
    const maxBytes = await this.#room()
    return this.#turns.take(signal, () => {
      // As they are when it begins, however long it waited.
      const masks = this.#options.site().masksOf(cameraId)
      return this.#record(cameraId, source, { ms, maxBytes, masks, signal })
    })
  }

  async #record(cameraId: string, source: StreamSource, how: RecordOptions): Promise<Clip> {
    const label = `camera ${cameraId}`
    await this.#clear()
    await mkdir(this.#dir, { recursive: true, mode: 0o700 })
    const file = join(this.#dir, `${crypto.randomUUID()}.mp4`)
    try {
      const url = await this.#urlOf(label, source, how.signal)
      const login = new Login(label, source.place, this.#options.secrets)
      const { ffmpeg = ffmpegPath, clock, log } = this.#options
      const recorded = await recordStream({ label, url, login, clock, log, ffmpeg }, file, how)
      const size = (await stat(file).catch(() => null))?.size ?? 0
      if (size < EMPTY_BYTES) throw offline(`${label} sent no whole picture: record for longer.`)
      await chmod(file, 0o600)
      return { file, type: 'video/mp4', source: label, ...recorded }
    } catch (error) {
      await rm(file, { force: true })
      throw asOffline(error)
    }
  }

  #urlOf(label: string, { kind, place }: StreamSource, signal: AbortSignal): URL | Promise<URL> {
    const { clock, secrets } = this.#options
    if (kind === 'rtsp') return place.url
    const login = new Login(label, place, secrets)
    return new OnvifDevice({ label, url: place.url, login, clock }).streamUri({ signal })
  }

  /** How large a clip may become, though others are recorded with it. Rejects with `disk_low`. */
  async #room(): Promise<number> {
    const { site, free } = this.#options
    const left = (await free()) - (site().keep.minFreeBytes ?? STAYS_FREE)
    if (left >= LEAST_BYTES) return Math.min(MOST_BYTES, left / AT_ONCE)
    const message = 'The disk is nearly full: nothing was recorded. Make room, or keep less.'
    throw new GatehouseError('disk_low', message, { status: 507 })
  }

  get #ffmpeg(): string | null {
    return (this.#options.ffmpeg ?? ffmpegPath)()
  }
}

/** Where a camera's stream is; of some only the camera itself knows. */
interface StreamSource {
  kind: 'rtsp' | 'onvif'
  place: Place
}

function sourceOf({ stream, source }: Camera): StreamSource | null {
  if (stream) return { kind: 'rtsp', place: stream }
  return source?.kind === 'onvif' ? { kind: 'onvif', place: source } : null
}
