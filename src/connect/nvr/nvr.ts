import type { Clock, JsonValue, Log } from '../../core/index.ts'
import type { Site, SiteMode } from '../../site/index.ts'
import type { Store } from '../../store/index.ts'
import { NvrApps } from './apps.ts'
import { NvrArchive } from './archive.ts'
import { type NvrCamera, NvrCameras } from './cameras.ts'
import { NvrHttp, type NvrHttpOptions } from './http.ts'
import { numberOf, nvrCameraOf } from './ids.ts'
import { NvrMode } from './mode.ts'
import { Poll } from './poll.ts'

/** How often it is asked which cameras there are. */
const LIST_MS = 60_000

export interface NvrOptions extends Pick<NvrHttpOptions, 'secrets' | 'ownPorts' | 'lookup' | 'timeoutMs'> {
  site: () => Pick<Site, 'nvr' | 'cameras'>
  clock: Clock
  log: Log
  /** The mode as this box keeps it. */
  siteMode: SiteMode
  store: Store
  /** Something else is known of its apps than before. */
  onApps: () => Promise<void>
}

/** The NVR of the site, with all that the box asks of it. */
export class Nvr {
  readonly name = 'NVR'
  readonly cameras: NvrCameras
  /** The site's mode, whoever keeps it. */
  readonly mode: NvrMode
  readonly apps: NvrApps
  readonly archive: NvrArchive
  readonly #options: NvrOptions
  readonly #http: NvrHttp
  readonly #listing: Poll
  /** What was listed last; null: nothing yet, of this NVR. */
  #listed: NvrCamera[] | null = null
  #setting: string | null = null

  constructor(options: NvrOptions) {
    const { clock, log, siteMode, store, onApps, site } = options
    this.#options = options
    this.#http = new NvrHttp(options)
    this.cameras = new NvrCameras(this.#http, clock)
    this.archive = new NvrArchive(this.#http, this.cameras, site)
    this.mode = new NvrMode(this.#http, siteMode, clock, log)
    this.apps = new NvrApps({ http: this.#http, store, clock, log, onChange: onApps })
    this.#listing = new Poll(clock, LIST_MS, async signal => {
      this.#listed = await this.cameras.list(signal)
    })
  }

  async start(): Promise<void> {
    await this.reload()
  }

  /** Another NVR, or another key, is another beginning. */
  async reload(): Promise<void> {
    const setting = JSON.stringify(this.#http.setting)
    if (setting === this.#setting) return
    await this.stop()
    this.#setting = setting
    if (!this.#http.setting) return
    this.#listing.start()
    this.mode.start()
    this.apps.start()
  }

  async stop(): Promise<void> {
    this.#setting = null
    this.#listed = null
    this.#http.forget()
    await Promise.all([this.#listing.stop(), this.mode.stop(), this.apps.stop()])
  }

  /** What is wrong with it, in one line; null: nothing, or the site has none. */
  get problem(): string | null {
    return this.#http.setting ? (this.#http.problem ?? this.mode.problem) : null
  }

  /** Reads that were turned away. */
  get shed(): Readonly<Record<string, number>> {
    return { reads: this.#http.shed }
  }

  /** For people: what is known of it, and what is to be done in the site file. */
  view(): JsonValue {
    if (!this.#http.setting) return null
    return {
      problem: this.problem,
      site_mode: this.mode.view(),
      cameras: this.#camerasView(),
      apps: this.apps.view(),
    }
  }

  /** `not_in_site`: cameras of the NVR that the site file does not map to roles; `not_in_nvr`: the other way round. */
  #camerasView(): JsonValue {
    if (!this.#listed) return null
    const { cameras } = this.#options.site()
    const mapped = new Set(cameras.map(({ id }) => numberOf(nvrCameraOf(id, { cameras }))))
    const there = new Set(this.#listed.map(({ number }) => number))
    const lacking = cameras.flatMap(({ id, source }) =>
      source?.kind === 'nvr' && !there.has(numberOf(source.camera)) ? [id] : [],
    )
    return {
      not_in_site: this.#listed
        .filter(({ number }) => !mapped.has(number))
        .map(({ handle, name }) => ({ id: handle, name })),
      not_in_nvr: lacking,
    }
  }
}
