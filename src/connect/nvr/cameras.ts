import { type Clock, GatehouseError, messageOf, type Picture } from '../../core/index.ts'
import { cleanJson } from '../../kinds/index.ts'
import { maxPictureBytes, pictureType } from '../../vision/index.ts'
import type { ExchangeAnswer } from '../http/exchange.ts'
import { NVR, type NvrHttp } from './http.ts'
import { numberOf } from './ids.ts'

/** More cameras of one NVR are not listed. */
const MOST_CAMERAS = 1_000
/** A frame out of a recording has to be found and cut out first. */
const FRAME_TIMEOUT_MS = 15_000

/** A camera as the NVR lists it. Where its stream is, and the key to that, is not read. */
export interface NvrCamera {
  /** What its routes and its events call it. */
  number: string
  /** What the NVR's other parts call it, such as `cam1`. */
  handle: string
  name: string
}

/** The cameras of the NVR: who they are, and what they show now or showed then. */
export class NvrCameras {
  readonly #http: NvrHttp
  readonly #clock: Clock

  constructor(http: NvrHttp, clock: Clock) {
    this.#http = http
    this.#clock = clock
  }

  /** All of them; an empty list is one. Rejects where that was not to be learnt. */
  async list(signal: AbortSignal): Promise<NvrCamera[]> {
    const answer = await this.#http.json({ path: '/internal/camera-agent/cameras', signal })
    const listed = Array.isArray(answer) ? answer : (answer as { cameras?: unknown } | null)?.cameras
    if (!Array.isArray(listed))
      throw new GatehouseError('bad_answer', `${NVR} did not say which cameras it has.`, { status: 502 })
    return listed.slice(0, MOST_CAMERAS).flatMap(each => cameraIn(each) ?? [])
  }

  /** What a camera shows now. Rejects with `camera_offline`. */
  async snapshot(camera: string, signal: AbortSignal): Promise<Picture> {
    const path = `/internal/app/cameras/${encodeURIComponent(numberOf(camera))}/snapshot`
    const request = { path, signal, maxBytes: maxPictureBytes, picture: true } as const
    const answer = await this.#http.read(request).catch(error => {
      throw offline(messageOf(error), error)
    })
    if (!answer)
      throw offline(`${NVR} has no camera ${camera}: name one that it has under nvr of its source.`)
    return this.#pictureOf(answer, `camera ${camera} of ${NVR}`, this.#takenAt(answer))
  }

  /** What a camera showed at a time, out of its recordings; null: nothing was recorded then. */
  async frame(camera: string, at: number, signal: AbortSignal): Promise<Picture | null> {
    const answer = await this.#http.read({
      path: '/internal/camera-agent/recordings/frame',
      query: { camera_id: numberOf(camera), at: new Date(at).toISOString() },
      signal,
      timeoutMs: FRAME_TIMEOUT_MS,
      maxBytes: maxPictureBytes,
      picture: true,
    })
    return answer && this.#pictureOf(answer, `recording of camera ${camera} of ${NVR}`, at)
  }

  /** A picture that was kept under a path of its own; null: it is not there, or not any more. */
  async kept(path: string, at: number | null, signal: AbortSignal): Promise<Picture | null> {
    const answer = await this.#http.read({ path, signal, maxBytes: maxPictureBytes, picture: true })
    return answer && this.#pictureOf(answer, `evidence of ${NVR}`, at)
  }

  #pictureOf({ body }: ExchangeAnswer, source: string, takenAt: number | null): Picture {
    if (pictureType(body)) return { bytes: body, takenAt, source }
    throw offline(`${NVR} sent no JPEG, PNG or WebP: is nvr.url the address of its API?`)
  }

  /** Now, less the age that the answer admits to by the NVR's own clock. */
  #takenAt({ header }: ExchangeAnswer): number {
    const [sent = 0, modified = 0] = ['date', 'last-modified'].map(name => Date.parse(header(name) ?? ''))
    const cached = Number(/^\d{1,9}$/.exec(header('age') ?? '')?.[0] ?? 0) * 1000
    return this.#clock.now() - Math.max(0, sent - modified || 0, cached)
  }
}

/** Null for what is no camera. */
function cameraIn(given: unknown): NvrCamera | null {
  if (given === null || typeof given !== 'object') return null
  const { camera_id: handle, open_nvr_camera_id: number, id, name } = given as Record<string, unknown>
  const called = textIn(handle) ?? textIn(id) ?? textIn(number)
  if (called === null) return null
  return { number: textIn(number) ?? numberOf(called), handle: called, name: textIn(name) ?? called }
}

function textIn(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = String(cleanJson(String(value).slice(0, 100))).trim()
  return text || null
}

function offline(message: string, cause?: unknown): GatehouseError {
  return new GatehouseError('camera_offline', message, { status: 502, cause })
}
