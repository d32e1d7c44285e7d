import { type Clock, type Log, messageOf, type Picture } from '../../core/index.ts'
import type { TrackFrame } from '../../kinds/index.ts'
import { isThisBox, type Site } from '../../site/index.ts'
import { maxPictureBytes, pictureType } from '../../vision/index.ts'
import { exchange } from '../http/exchange.ts'
import type { Stay } from './camera-tracks.ts'

/** Whoever waits for the event waits for its picture too. */
const TIMEOUT_MS = 2_000
const AT_ONCE = 8
/** One that does not answer is left alone for so long. */
const AWAY_MS = 30_000
/** The best picture may be the first one; of a thing that has been there for longer the camera is asked. */
const OLDEST_MS = 30_000

export interface BestFramesOptions {
  site: () => Pick<Site, 'bestFrame'>
  /** Ports on which this box itself listens. */
  ownPorts: () => readonly number[]
  clock: Clock
  log: Log
}

/** The detector's best picture of a thing that it follows, cut to it. Where there is none, the camera is asked as ever. */
export class BestFrames {
  readonly #options: BestFramesOptions
  #asking = 0
  #awayUntil = Number.NEGATIVE_INFINITY

  constructor(options: BestFramesOptions) {
    this.#options = options
  }

  /** Never rejects: null where there is none to be had. */
  async picture({ track, seenSince }: Stay, { cameraId }: TrackFrame): Promise<Picture | null> {
    const { site, clock, log } = this.#options
    const address = site().bestFrame
    const now = clock.now()
    const away = this.#awayUntil - now
    if (!address || this.#asking >= AT_ONCE || now - seenSince > OLDEST_MS) return null
    if (away > 0 && away <= AWAY_MS) return null
    this.#asking++
    try {
      const bytes = await this.#ask(address, cameraId, track.id)
      return bytes && { bytes, takenAt: Math.min(seenSince, now), source: `best frame of ${cameraId}` }
    } catch (error) {
      this.#awayUntil = clock.now() + AWAY_MS
      log.warn({ camera: cameraId, error: messageOf(error) }, 'no best frame: the camera is asked instead')
      return null
    } finally {
      this.#asking--
    }
  }

  async #ask(address: URL, camera: string, track: string): Promise<Uint8Array | null> {
    const { clock, ownPorts } = this.#options
    const url = new URL(address)
    url.searchParams.set('camera', camera)
    url.searchParams.set('track', track)
    const { status, body, cut } = await exchange({
      label: 'tracks.best_frame',
      url,
      method: 'GET',
      headers: { accept: 'image/jpeg', 'user-agent': 'Gatehouse' },
      signal: new AbortController().signal,
      timeoutMs: TIMEOUT_MS,
      clock,
      maxBytes: maxPictureBytes,
      refuse: (to, port) =>
        ownPorts().includes(port) && isThisBox(to) ? 'it is this Gatehouse itself' : null,
    })
    return status === 200 && !cut && pictureType(body) ? body : null
  }
}
