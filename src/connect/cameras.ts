import { resolve, sep } from 'node:path'
import {
  type Clock,
  GatehouseError,
  type IncomingEvent,
  type Log,
  mintId,
  type Picture,
} from '../core/index.ts'
import type { CameraHealth, Cameras } from '../kinds/index.ts'
import type { Camera, CameraSource, Site } from '../site/index.ts'
import { FolderCamera } from './camera-folder.ts'
import { HttpCamera } from './camera-http.ts'
import { ping } from './ping.ts'
import type { Secrets } from './secrets.ts'

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

type Driver = HttpCamera | FolderCamera | Pick<HttpCamera, 'snapshot'>

/** The cameras of the site file, each behind the driver for its source. */
export class SiteCameras implements Cameras, CameraHealth {
  readonly #options: SiteCamerasOptions
  #drivers = new Map<string, { driver: Driver; source: string }>()
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
    const drivers = [...this.#drivers.values()]
    this.#drivers = new Map()
    await Promise.all(drivers.map(({ driver }) => this.#stop(driver)))
  }

  async #stop(driver: Driver): Promise<void> {
    if (!(driver instanceof FolderCamera)) return
    await driver.stop()
    this.#shedBefore += driver.shed
  }

  /** Takes over the cameras of a site file that was read anew; those that are as before go on. */
  async reload(): Promise<void> {
    if (!this.#started) return
    const cameras = this.#options.site().cameras
    const old = this.#drivers
    this.#drivers = new Map()
    const starting: Promise<void>[] = []
    for (const { id, source } of cameras) {
      if (!source) continue
      const kept = old.get(id)
      if (kept?.source === keyOf(source)) {
        this.#drivers.set(id, kept)
        old.delete(id)
        continue
      }
      const driver = this.#make(id, source)
      this.#drivers.set(id, { driver, source: keyOf(source) })
      if (driver instanceof FolderCamera) starting.push(driver.start())
    }
    await Promise.all([...starting, ...[...old.values()].map(({ driver }) => this.#stop(driver))])
  }

  /** Pictures that arrived in folders and became no event because too many came at once. */
  get shed(): number {
    let count = this.#shedBefore
    for (const { driver } of this.#drivers.values()) if (driver instanceof FolderCamera) count += driver.shed
    return count
  }

  /** Cameras that are known to be offline, each with the reason in one line. */
  problems(): ReadonlyMap<string, string> {
    const found = new Map<string, string>()
    for (const [id, { driver }] of this.#drivers)
      if (driver instanceof FolderCamera && driver.problem) found.set(id, driver.problem)
    return found
  }

  /** Whether a camera works, as far as that is seen without its picture. Rejects with `camera_unknown`. */
  async check(cameraId: string, { signal }: { signal: AbortSignal }) {
    const camera = this.#options.site().camera(cameraId)
    if (!camera) throw unknown(`camera ${cameraId} is not in the site file: add it under cameras.`)
    const problem = this.problems().get(cameraId) ?? null
    if (camera.source?.kind !== 'snapshot') return { problem }
    return { problem, pingMs: await ping(camera.source.url, signal) }
  }

  /** Rejects with `camera_unknown` or `camera_offline`. */
  async snapshot(cameraId: string, { signal }: { signal: AbortSignal }): Promise<Picture> {
    const camera = this.#options.site().camera(cameraId)
    if (!camera) throw unknown(`camera ${cameraId} is not in the site file: add it under cameras.`)
    if (!camera.source)
      throw unknown(`camera ${cameraId} has no source in the site file: add folder:, snapshot: or nvr:.`)
    return this.#driverOf(camera, camera.source).snapshot({ signal })
  }

  /** The one that runs, or before `start` one for this once. */
  #driverOf({ id }: Camera, source: CameraSource): Driver {
    const running = this.#drivers.get(id)
    return running?.source === keyOf(source) ? running.driver : this.#make(id, source)
  }

  #make(id: string, source: CameraSource): Driver {
    const { clock, log, secrets, onPicture, dataDir } = this.#options
    if (source.kind === 'snapshot') {
      const { url, user, password } = source
      return new HttpCamera({ id, url, user, password, secrets, clock })
    }
    if (source.kind === 'nvr') return this.#ofNvr(id, source.camera)
    return new FolderCamera({
      id,
      folder: source.path,
      makes: isWithin(dataDir, source.path),
      clock,
      log,
      onPicture: (picture, file) => onPicture(arrival(id, picture, file, clock.now())),
    })
  }

  #ofNvr(id: string, camera: string): Driver {
    const { nvr } = this.#options
    return {
      snapshot: async ({ signal }) => {
        if (!nvr) throw unknown(`camera ${id} is the NVR's, and there is no NVR: name it under nvr.`)
        return { ...(await nvr.snapshot(camera, signal)), source: `camera ${id}` }
      },
    }
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

function isWithin(folder: string, path: string): boolean {
  return resolve(path).startsWith(`${resolve(folder)}${sep}`)
}

function keyOf(source: CameraSource): string {
  return JSON.stringify(source)
}

function unknown(message: string): GatehouseError {
  return new GatehouseError('camera_unknown', message, { status: 404 })
}
