import { randomBytes } from 'node:crypto'
import { discover, type FileSecrets, type FoundCamera, SiteCameras, Turns } from '../connect/index.ts'
import { type Clock, GatehouseError, type Log, messageOf, type Picture } from '../core/index.ts'
import type { Cameras } from '../kinds/index.ts'
import type { SiteRules } from '../site/index.ts'
import type { Store } from '../store/index.ts'
import type { Eyes } from '../vision/index.ts'
import type { CameraDeskPort } from '../web/index.ts'
import type { PictureDoor } from './picture-door.ts'

/** One that is older is taken anew: many viewers cost a camera as much as one. A stream is opened for each. */
const FRESH_MS = 4_000
const FRESH_STREAM_MS = 20_000
const PATIENCE_MS = 15_000
/** Of cameras that are asked, or tried, at the same time, and that wait for it. */
const AT_ONCE = 4
const WAITING = 64
const LONGEST_PASSWORD = 256
/** Between a password being kept and a camera being set that names it. */
const ON_ITS_WAY_MS = 24 * 3_600_000

export interface CameraDeskOptions {
  rules: SiteRules
  dataDir: string
  secrets: FileSecrets
  store: Store
  eyes: Pick<Eyes, 'shrink'>
  door: PictureDoor
  /** Their pictures as they may be seen. */
  seen: Cameras
  nvr: NonNullable<ConstructorParameters<typeof SiteCameras>[0]['nvr']> & {
    list(signal: AbortSignal): Promise<{ number: string; handle: string; name: string }[]>
  }
  clock: Clock
  log: Log
}

interface Shown {
  at: number
  until: number
  picture: Promise<Picture>
}

/** What the page shows of cameras, and how one is added there. */
export class CameraDesk implements CameraDeskPort {
  readonly #options: CameraDeskOptions
  readonly #shown = new Map<string, Shown>()
  readonly #turns = new Turns(AT_ONCE, WAITING)

  constructor(options: CameraDeskOptions) {
    this.#options = options
  }

  /** What a camera shows now, as a JPEG whose longer side is that long at most. Rejects with `camera_offline` and the like. */
  async picture(id: string, side: number): Promise<{ bytes: Uint8Array; takenAt: number | null }> {
    const { rules, clock, seen } = this.#options
    const { site } = rules
    const camera = site.camera(id)
    if (!camera) throw new GatehouseError('camera_unknown', 'There is no such camera.', { status: 404 })
    const fresh = camera.source?.kind === 'rtsp' ? FRESH_STREAM_MS : FRESH_MS
    const key = JSON.stringify([id, side, site.version])
    const now = clock.now()
    const known = this.#shown.get(key)
    if (known && now < known.until && now >= known.at) return known.picture
    for (const [old, { until }] of this.#shown) if (now >= until) this.#shown.delete(old)
    const picture = this.#inRoom(async signal =>
      this.#small(await seen.snapshot(id, { signal }), side, signal),
    )
    this.#shown.set(key, { at: now, until: now + fresh, picture })
    return picture
  }

  /** Asks a camera that is not yet set for a picture, masked as it would be. Rejects with `rules_invalid`. */
  async try(id: string, camera: unknown, password: string | null) {
    const { rules, secrets, door, clock, log, dataDir, nvr } = this.#options
    const site = rules.siteWith(id, withSecret(camera, TRIED, password))
    const cameras = new SiteCameras({
      ...{ site: () => site, clock, log, nvr, dataDir, onPicture: () => undefined },
      secrets: { get: name => (name === TRIED ? password : secrets.get(name)) },
    })
    try {
      const { bytes } = await this.#inRoom(async signal =>
        this.#small(await door.cameras(cameras).snapshot(id, { signal }), 640, signal),
      )
      return { works: true, message: null, picture: bytes.toBase64() }
    } catch (error) {
      return { works: false, message: messageOf(error), picture: null }
    }
  }

  /** Keeps a camera's password as a secret of its own; its name is what a camera says. */
  async keepPassword(password: string, by: string): Promise<string> {
    const { secrets, store, clock } = this.#options
    if (password === '' || password.length > LONGEST_PASSWORD)
      throw new GatehouseError('bad_body', `A password has 1 to ${LONGEST_PASSWORD} characters.`, {
        status: 422,
      })
    const name = `camera-${randomBytes(6).toString('hex')}`
    this.#clear()
    secrets.set(name, password)
    const what = { target: name, before: null, after: null }
    await store.write(() =>
      store.audit.add({ at: clock.now(), author: by, action: 'camera.password', ...what }),
    )
    return name
  }

  /** Takes away passwords that no version of the rules names which could still be taken back; one may be on its way. */
  #clear(): void {
    const { secrets, store, clock } = this.#options
    for (const { name, at } of secrets.kept('camera-')) {
      const isOurs = /^camera-[0-9a-f]{12}$/.test(name) && clock.now() - at > ON_ITS_WAY_MS
      if (isOurs && !store.siteRules.say(`"${name}"`)) secrets.drop(name)
    }
  }

  /** The cameras of the recorder that the site does not have yet. Rejects where there is none, or it could not be asked. */
  async offered(signal: AbortSignal): Promise<{ id: string; name: string }[]> {
    const { nvr, rules } = this.#options
    const { site } = rules
    if (!site.nvr)
      throw new GatehouseError('not_possible', 'there is no NVR: name one under nvr in the site file', {
        status: 409,
      })
    const late = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
    return (await nvr.list(late)).map(({ handle, name }) => ({ id: handle, name }))
  }

  discover(signal: AbortSignal): Promise<FoundCamera[]> {
    return this.#inRoom(late => discover(AbortSignal.any([signal, late])))
  }

  async #small(picture: Picture, side: number, signal: AbortSignal): Promise<Picture> {
    return this.#options.eyes.shrink(picture, side, { timeoutMs: PATIENCE_MS, signal })
  }

  /** In the order in which they came; rejects with `busy` where too many wait. */
  async #inRoom<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    return this.#turns.take(signal, () => work(signal))
  }
}

/** What a password is called that is tried and not kept; no camera that is set may say so. */
const TRIED = 'camera-tried'

/** A camera whose password is the one that was typed. */
function withSecret(camera: unknown, secret: string, password: string | null): unknown {
  const { source } = (camera ?? {}) as { source?: unknown }
  if (password === null || source === null || typeof source !== 'object') return camera
  const places = Object.entries(source).map(([kind, place]) => [
    kind,
    kind === 'folder' || kind === 'nvr'
      ? place
      : { ...(typeof place === 'string' ? { url: place } : (place as object)), password: { secret } },
  ])
  return { ...(camera as object), source: Object.fromEntries(places) }
}
