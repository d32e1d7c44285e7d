import type { Clock, Picture } from '../../core/index.ts'
import { maxPictureBytes, pictureType } from '../../vision/index.ts'
import type { ExchangeAnswer } from '../http/exchange.ts'
import { exchangeAs } from '../http/exchange-as.ts'
import type { Login } from '../http/login.ts'
import type { Driver } from './driver.ts'
import { asOffline, offline } from './offline.ts'

const TIMEOUT_MS = 8_000

export interface HttpCameraOptions {
  /** For people, in errors: `camera gate`. */
  label: string
  url: URL
  login: Login
  clock: Clock
  timeoutMs?: number
}

/** A camera, or recorder, that serves its present picture at an address. */
export class HttpCamera implements Driver {
  readonly rests = true
  readonly #options: HttpCameraOptions

  constructor(options: HttpCameraOptions) {
    this.#options = options
  }

  get place(): URL {
    return this.#options.url
  }

  snapshot({ signal }: { signal: AbortSignal }): Promise<Picture> {
    return fetchPicture({ ...this.#options, signal })
  }
}

/** The picture at an address. Rejects with `camera_offline`. */
export async function fetchPicture(request: HttpCameraOptions & { signal: AbortSignal }): Promise<Picture> {
  const { label, url, login, clock, signal, timeoutMs = TIMEOUT_MS } = request
  const answer = await exchangeAs(login, {
    label,
    url,
    method: 'GET',
    headers: { accept: 'image/jpeg, image/png, image/webp' },
    signal,
    timeoutMs,
    clock,
    maxBytes: maxPictureBytes,
  }).catch(error => {
    throw asOffline(error)
  })
  return pictureIn(answer, label, clock.now())
}

function pictureIn({ status, cut, body }: ExchangeAnswer, label: string, now: number): Picture {
  if (status !== 200) throw offline(`${label} answered ${status}: check its address, user and password.`)
  if (cut) throw offline(`${label} sent more than ${maxPictureBytes} bytes: choose a smaller picture.`)
  if (!pictureType(body)) throw offline(`${label} sent no JPEG, PNG or WebP: check its address.`)
  return { bytes: body, takenAt: now, source: label }
}
