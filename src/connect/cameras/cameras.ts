import { join, resolve, sep } from 'node:path'
import {
  type Clock,
  GatehouseError,
  type IncomingEvent,
  type Log,
  mintId,
  type Picture,
} from '../../core/index.ts'
import type { CameraHealth, Cameras } from '../../kinds/index.ts'
import type { Camera, CameraSource, Site } from '../../site/index.ts'
import { Login } from '../http/login.ts'
import { OnvifCamera } from '../onvif/camera-onvif.ts'
import { RtspCamera } from '../rtsp/camera-rtsp.ts'
import type { Secrets } from '../secrets.ts'
import { AskedCamera } from './asked.ts'
import type { Driver } from './driver.ts'
import { FolderCamera } from './folder.ts'
import type { CameraCondition, CameraState } from './health.ts'
import { HttpCamera } from './http.ts'
import { ping } from './ping.ts'

export interface SiteCamerasOptions {
  site: () => Site
  clock: Clock
  log: Log
  secrets: Secrets
  /** A picture has arrived in a camera's folder: a `picture.arrived.v1` event that bears it. */
  onPicture: (event: IncomingEvent) => void
  /** Pictures of the NVR's cameras, by what the NVR calls them. */
  nvr?: { snapshot(camera: string, signal: AbortSignal): Promise<Picture> }
  /** Folders of cameras inside it are made where they are not there; others are somebody else's. */
  dataDir: string
}

/** Below the data folder, for folders of cameras that were added on the box. */
const PICTURES_IN = 'pictures-in'

/** A camera that is in force. */
interface Entry {
  /** Its source, to see whether that has changed. */
  key: string
  asked: AskedCamera
  folder: FolderCamera | null
}

/** The cameras of the site file, each behind the driver for its source. */
export class SiteCameras implements Cameras, CameraHealth {
  readonly #options: SiteCamerasOptions
  #entries = new Map<string, Entry>()
  #started = false
  /** By cameras that are not watched any more. */
  #shedBefore = 0

  constructor(options: SiteCamerasOptions) {
    this.#options = options
  }

  /** Begins to watch the folders. */
  async start(): Promise<void> {
    this.#started = true
    await this.reload()
  }

  async stop(): Promise<void> {
    this.#started = false
    const entries = [...this.#entries.values()]
    this.#entries = new Map()
    await Promise.all(entries.map(entry => this.#stop(entry)))
  }

  async #stop({ folder }: Entry): Promise<void> {
    if (!folder) return
    await folder.stop()
    this.#shedBefore += folder.shed
  }

  /** Takes over the cameras of a site file that was read anew; those that are as before go on. */
  async reload(): Promise<void> {
    if (!this.#started) return
    const old = this.#entries
    this.#entries = new Map()
    const starting: Promise<void>[] = []
    for (const { id, source } of this.#options.site().cameras) {
      if (!source) continue
      const kept = old.get(id)
      if (kept?.key === keyOf(source)) {
        this.#entries.set(id, kept)
        old.delete(id)
        continue
      }
      const entry = this.#make(id, source)
      this.#entries.set(id, entry)
      if (entry.folder) starting.push(entry.folder.start())
    }
    await Promise.all([...starting, ...[...old.values()].map(entry => this.#stop(entry))])
  }

  /** Pictures that arrived in folders and became no event because too many came at once. */
  get shed(): number {
    let count = this.#shedBefore
    for (const { folder } of this.#entries.values()) count += folder?.shed ?? 0
    return count
  }

  /** How each camera is that has a source. */
  conditions(): ReadonlyMap<string, CameraCondition> {
    const found = new Map<string, CameraCondition>()
    for (const [id, { asked, folder }] of this.#entries) {
      const { condition } = asked.state
      // Of a folder more is seen than when it was last asked.
      found.set(id, folder ? { ...condition, problem: folder.problem } : condition)
    }
    return found
  }

  /** What is known of a camera that is in force, or null. */
  state(cameraId: string): CameraState | null {
    return this.#entries.get(cameraId)?.asked.state ?? null
  }

  /** Looks whether a camera gives pictures, unless it failed a moment ago. Never rejects: see its state. */
  async look(cameraId: string, signal: AbortSignal): Promise<void> {
    const asked = this.#entries.get(cameraId)?.asked
    const place = asked?.driver.place
    await Promise.all([asked?.look(signal), place && ping(place, signal).then(ms => asked?.state.pinged(ms))])
  }

  /** Whether a camera works, as far as that is seen without its picture. Rejects with `camera_unknown`. */
  async check(cameraId: string, { signal }: { signal: AbortSignal }) {
    const { source } = this.#known(cameraId)
    const problem = this.conditions().get(cameraId)?.problem ?? null
    if (!source || source.kind === 'folder' || source.kind === 'nvr') return { problem }
    const pingMs = await ping(source.url, signal)
    this.#entries.get(cameraId)?.asked.state.pinged(pingMs)
    return { problem, pingMs }
  }

  /** Rejects with `camera_unknown` or `camera_offline`. */
  async snapshot(
    cameraId: string,
    { signal, anyhow = false }: { signal: AbortSignal; anyhow?: boolean },
  ): Promise<Picture> {
    return this.#asked(cameraId).snapshot(signal, anyhow)
  }

  /** Rejects with `camera_unknown` or `camera_offline`. */
  async frames(
    cameraId: string,
    options: { count: number; overMs: number; signal: AbortSignal },
  ): Promise<Picture[]> {
    return this.#asked(cameraId).frames(options)
  }

  #known(cameraId: string): Camera {
    const camera = this.#options.site().camera(cameraId)
    if (!camera) throw unknown(`camera ${cameraId} is not in the site file: add it under cameras.`)
    return camera
  }

  /** The one that is in force, or before `start` one for this once. */
  #asked(cameraId: string): AskedCamera {
    const { id, source } = this.#known(cameraId)
    if (!source)
      throw unknown(
        `camera ${id} has no source in the site file: add folder:, snapshot:, rtsp:, onvif: or nvr:.`,
      )
    const running = this.#entries.get(id)
    return (running?.key === keyOf(source) ? running : this.#make(id, source)).asked
  }

  #make(id: string, source: CameraSource): Entry {
    const { clock, log, onPicture, dataDir } = this.#options
    const key = keyOf(source)
    if (source.kind !== 'folder')
      return { key, asked: new AskedCamera(this.#driverOf(id, source), clock), folder: null }
    const folder = new FolderCamera({
      id,
      ...placeOf(source, dataDir),
      clock,
      log,
      onPicture: (picture, file) => onPicture(arrival(id, picture, file, clock.now())),
    })
    return { key, asked: new AskedCamera(folder, clock), folder }
  }

  #driverOf(id: string, source: Exclude<CameraSource, { kind: 'folder' }>): Driver {
    const { clock, log, secrets, nvr } = this.#options
    const label = `camera ${id}`
    if (source.kind === 'nvr') return nvrCamera(label, source.camera, nvr)
    const { kind, url } = source
    const login = new Login(label, source, secrets)
    const logins = { services: login, pictures: new Login(label, source, secrets) }
    if (kind === 'onvif') return new OnvifCamera({ label, url, logins, clock })
    return kind === 'snapshot'
      ? new HttpCamera({ label, url, login, clock })
      : new RtspCamera({ label, url, login, clock, log })
  }
}

function nvrCamera(label: string, camera: string, nvr: SiteCamerasOptions['nvr']): Driver {
  return {
    place: null,
    rests: true,
    snapshot: async ({ signal }) => {
      if (!nvr) throw unknown(`${label} is the NVR's, and there is no NVR: name it under nvr.`)
      return { ...(await nvr.snapshot(camera, signal)), source: label }
    },
  }
}

function arrival(cameraId: string, picture: Picture, file: string, now: number): IncomingEvent {
  return {
    kind: 'event',
    id: mintId('evt'),
    at: picture.takenAt ?? now,
    cameraId,
    schema: 'picture.arrived.v1',
    source: 'camera-folder',
    severity: null,
    payload: { file },
    correlationId: null,
    chain: [],
    by: null,
    workflowId: null,
    pictures: [picture],
  }
}

/** Where a camera's folder is: of one that was added on the box below a folder of the box's own, and nowhere else. */
function placeOf({ path, boxed }: CameraSource & { kind: 'folder' }, dataDir: string) {
  if (!boxed) {
    const isOurs = resolve(path).startsWith(`${resolve(dataDir)}${sep}`)
    return { folder: path, root: null, makes: isOurs }
  }
  const root = join(resolve(dataDir), PICTURES_IN)
  return { folder: join(root, path), root, makes: true }
}

function keyOf(source: CameraSource): string {
  return JSON.stringify(source)
}

function unknown(message: string): GatehouseError {
  return new GatehouseError('camera_unknown', message, { status: 404 })
}
