import { type Clock, GatehouseError, messageOf, type Picture } from '../core/index.ts'
import { maxPictureBytes, pictureType } from '../vision/index.ts'
import { exchange } from './exchange.ts'
import { type Secrets, secretFor } from './secrets.ts'

const TIMEOUT_MS = 8_000

export interface HttpCameraOptions {
  id: string
  url: URL
  /** Sent as a basic authorization to this host only, and never shown. */
  user: string | null
  /** Name of the secret that is the password. */
  password: { secret: string } | null
  secrets: Secrets
  clock: Clock
  timeoutMs?: number
}

/** A camera, or recorder, that serves its present picture at an address. */
export class HttpCamera {
  readonly #options: HttpCameraOptions

  constructor(options: HttpCameraOptions) {
    this.#options = options
  }

  /** Rejects with `camera_offline`. */
  async snapshot({ signal }: { signal: AbortSignal }): Promise<Picture> {
    const { id, url, clock, timeoutMs = TIMEOUT_MS } = this.#options
    const label = `camera ${id}`
    const headers = { accept: 'image/jpeg, image/png, image/webp', ...this.#authorization(label) }
    const answer = await exchange({
      label,
      url,
      method: 'GET',
      headers,
      signal,
      timeoutMs,
      clock,
      maxBytes: maxPictureBytes,
      redirect: to => (to.origin === url.origin ? headers : null),
    }).catch(error => {
      throw offline(messageOf(error), error)
    })
    if (answer.status !== 200) {
      throw offline(
        `${label} answered ${answer.status}: check its address, user and password in the site file.`,
      )
    }
    if (answer.cut)
      throw offline(`${label} sent more than ${maxPictureBytes} bytes: choose a smaller picture.`)
    if (!pictureType(answer.body)) throw offline(`${label} sent no JPEG, PNG or WebP: check its address.`)
    return { bytes: answer.body, takenAt: clock.now(), source: label }
  }

  #authorization(label: string): Record<string, string> {
    const { user, password, secrets } = this.#options
    if (user === null && password === null) return {}
    try {
      const pair = `${user ?? ''}:${password ? secretFor(label, password.secret, secrets) : ''}`
      return { authorization: `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` }
    } catch (error) {
      throw offline(messageOf(error), error)
    }
  }
}

function offline(message: string, cause?: unknown): GatehouseError {
  return new GatehouseError('camera_offline', message, { status: 502, cause })
}
