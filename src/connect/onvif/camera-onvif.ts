import type { Clock, Picture } from '../../core/index.ts'
import type { Driver } from '../cameras/driver.ts'
import { fetchPicture } from '../cameras/http.ts'
import { asOffline } from '../cameras/offline.ts'
import type { Login } from '../http/login.ts'
import { OnvifDevice } from './device.ts'

export interface OnvifCameraOptions {
  /** For people, in errors: `camera gate`. */
  label: string
  url: URL
  /** For its services, and for its pictures: they ask each for itself. */
  logins: { services: Login; pictures: Login }
  clock: Clock
}

/** A camera that says by ONVIF where its picture is. */
export class OnvifCamera implements Driver {
  readonly rests = true
  readonly #options: OnvifCameraOptions
  readonly #device: OnvifDevice
  #uri: URL | null = null

  constructor(options: OnvifCameraOptions) {
    this.#options = options
    this.#device = new OnvifDevice({ ...options, login: options.logins.services })
  }

  get place(): URL {
    return this.#options.url
  }

  async snapshot({ signal }: { signal: AbortSignal }): Promise<Picture> {
    const { label, logins, clock } = this.#options
    try {
      this.#uri ??= await this.#device.snapshotUri({ signal })
      return await fetchPicture({ label, url: this.#uri, login: logins.pictures, clock, signal })
    } catch (error) {
      // Some give each address for one picture only, or after a restart another one.
      this.#uri = null
      throw asOffline(error)
    }
  }
}
