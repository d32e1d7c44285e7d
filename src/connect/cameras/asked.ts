import { type Clock, GatehouseError, type Picture } from '../../core/index.ts'
import type { Driver } from './driver.ts'
import { CameraState } from './health.ts'
import { offline } from './offline.ts'

interface Flight {
  picture: Promise<Picture>
  waiting: number
  abort: AbortController
}

/**
 * A camera in the network as it is asked: by one at a time, since many give few streams; whoever asks while a picture
 * is awaited gets that one. One that failed is left alone for a moment, and who asks meanwhile is told why at once.
 */
export class AskedCamera {
  readonly driver: Driver
  readonly state: CameraState
  readonly #clock: Clock
  #flight: Flight | null = null

  constructor(driver: Driver, clock: Clock) {
    this.driver = driver
    this.state = new CameraState(clock)
    this.#clock = clock
  }

  /** `anyhow`: also where it is left alone. Rejects with `camera_offline`. */
  async snapshot(signal: AbortSignal, anyhow = false): Promise<Picture> {
    if (!anyhow) this.#assertRested()
    const flight = this.#flight ?? this.#take()
    flight.waiting++
    try {
      return await unlessAborted(flight.picture, signal)
    } finally {
      if (--flight.waiting === 0) flight.abort.abort()
    }
  }

  /** Rejects with `camera_offline`. */
  async frames(options: { count: number; overMs: number; signal: AbortSignal }): Promise<Picture[]> {
    const { driver } = this
    if (driver.frames) {
      this.#assertRested()
      return this.#noted(driver.frames(options), options.signal)
    }
    const { count, overMs, signal } = options
    const pictures: Picture[] = []
    for (let i = 0; i < count; i++) {
      if (i > 0) await pause(this.#clock, overMs / (count - 1), signal)
      pictures.push(await this.snapshot(signal))
    }
    return pictures
  }

  /** Looks whether it gives pictures, if it may be asked now. Never rejects. */
  async look(signal: AbortSignal): Promise<void> {
    const { driver } = this
    if (driver.rests && this.state.restsUntil) return
    const looking = driver.probe ? this.#noted(driver.probe({ signal }), signal) : this.snapshot(signal)
    await looking.catch(() => undefined)
  }

  #assertRested(): void {
    if (this.driver.rests) this.state.assertRested()
  }

  #take(): Flight {
    const abort = new AbortController()
    const { signal } = abort
    const picture = this.#noted(this.driver.snapshot({ signal }), signal).finally(() => {
      if (this.#flight === flight) this.#flight = null
    })
    picture.catch(() => undefined)
    const flight: Flight = { picture, waiting: 0, abort }
    // Nobody waits any more: it is on its way out, and whoever comes now needs one of their own.
    signal.addEventListener('abort', () => {
      if (this.#flight === flight) this.#flight = null
    })
    this.#flight = flight
    return flight
  }

  /** That nobody waited any longer, or that the box is busy, says nothing of the camera. */
  async #noted<T>(asked: Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      const answer = await asked
      this.state.gave()
      return answer
    } catch (error) {
      const told = error instanceof GatehouseError && error.code === 'camera_offline'
      if (told && !signal.aborted) this.state.failed(error)
      throw error
    }
  }
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(offline('the camera did not answer in time.'))
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(offline('nobody waited for the pictures.'))
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', abort)
      resolve()
    })
    const abort = () => {
      cancel()
      reject(offline('nobody waited for the pictures.'))
    }
    signal.addEventListener('abort', abort, { once: true })
  })
}
