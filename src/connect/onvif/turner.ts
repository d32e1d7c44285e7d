import { type Clock, GatehouseError } from '../../core/index.ts'
import type { Turner } from '../../kinds/index.ts'
import type { Place, Site } from '../../site/index.ts'
import { Login } from '../http/login.ts'
import type { Secrets } from '../secrets.ts'
import { OnvifDevice } from './device.ts'

export interface SiteTurnerOptions {
  site: () => Site
  secrets: Secrets
  clock: Clock
}

/** Turns the cameras of the site that are turned by ONVIF. */
export class SiteTurner implements Turner {
  readonly #options: SiteTurnerOptions
  readonly #devices = new Map<string, { key: string; device: OnvifDevice }>()

  constructor(options: SiteTurnerOptions) {
    this.#options = options
  }

  get lacks(): string | null {
    const some = this.#options.site().cameras.some(({ ptz }) => ptz)
    return some ? null : 'no camera can be turned: name where it is, under ptz of the camera in the site file'
  }

  async turn({ cameraId, preset, signal }: Omit<Parameters<Turner['turn']>[0], 'deliveryId'>): Promise<void> {
    const ptz = this.#options.site().camera(cameraId)?.ptz
    if (!ptz) {
      const message = `camera ${cameraId} cannot be turned: name where it is, under ptz of the camera in the site file.`
      throw new GatehouseError('preset_unknown', message)
    }
    try {
      await this.#device(cameraId, ptz).turn(preset, { signal })
    } catch (error) {
      throw error instanceof GatehouseError ? told(error) : error
    }
  }

  #device(cameraId: string, ptz: Place): OnvifDevice {
    const key = JSON.stringify([ptz.url, ptz.user, ptz.password])
    const known = this.#devices.get(cameraId)
    if (known?.key === key) return known.device
    const { secrets, clock } = this.#options
    const label = `camera ${cameraId}`
    const device = new OnvifDevice({ label, url: ptz.url, login: new Login(label, ptz, secrets), clock })
    this.#devices.set(cameraId, { key, device })
    return device
  }
}

/** Of a camera, not of a message to a destination: whoever sends those again does not turn a camera again. */
function told(error: GatehouseError): GatehouseError {
  const { code, message } = error
  if (code === 'preset_unknown' || code === 'camera_refused') return error
  const known = code === 'destination_unanswered' ? 'camera_unanswered' : 'camera_refused'
  return new GatehouseError(known, message, { status: 502, cause: error })
}
