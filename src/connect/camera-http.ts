import { type Clock, GatehouseError, messageOf, type Picture } from '../core/index.ts'
import { maxPictureBytes, pictureType } from '../vision/index.ts'
import { exchange } from './exchange.ts'

const TIMEOUT_MS = 8_000

export interface HttpCameraOptions {
  id: string
  /** May bear credentials; they are sent as a basic authorization to this host only, and never shown. */
  url: URL
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
    const { id, clock, timeoutMs = TIMEOUT_MS } = this.#options
    const url = new URL(this.#options.url)
    const headers = { accept: 'image/jpeg, image/png, image/webp', ...authorization(url) }
    url.username = ''
    url.password = ''
    const label = `camera ${id}`
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
}

function authorization(url: URL): Record<string, string> {
  if (url.username === '' && url.password === '') return {}
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  return { authorization: `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` }
}

function offline(message: string, cause?: unknown): GatehouseError {
  return new GatehouseError('camera_offline', message, { status: 502, cause })
}
