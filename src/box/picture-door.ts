import { GatehouseError, type IncomingEvent, type Log, messageOf, type Picture } from '../core/index.ts'
import type { Archive, Cameras } from '../kinds/index.ts'
import type { Polygon, Site } from '../site/index.ts'
import type { Eyes } from '../vision/index.ts'

/** Whoever waits for a picture waits for its painting too. */
const PATIENCE_MS = 10_000

export interface PictureDoorOptions {
  site: () => Pick<Site, 'masksOf'>
  eyes: Pick<Eyes, 'paint'>
  log: Log
}

/**
 * The one door by which pictures come in: what is masked of a camera is painted over before anybody sees, judges, keeps
 * or sends it. One that cannot be painted over does not come in. Clips are painted over by whoever records them.
 */
export class PictureDoor {
  readonly #options: PictureDoorOptions

  constructor(options: PictureDoorOptions) {
    this.#options = options
  }

  /** The cameras behind it. */
  cameras(cameras: Required<Cameras>): Required<Cameras> {
    return {
      snapshot: async (id, options) => this.#through(id, await cameras.snapshot(id, options), options.signal),
      frames: async (id, options) => {
        const painted: Picture[] = []
        for (const each of await cameras.frames(id, options))
          painted.push(await this.#through(id, each, options.signal))
        return painted
      },
    }
  }

  /** What somebody else keeps of before. */
  archive(archive: Archive): Archive {
    return {
      get lacks() {
        return archive.lacks
      },
      events: (filter, options) => archive.events(filter, options),
      frame: async (id, at, options) => {
        const picture = await archive.frame(id, at, options)
        return picture && this.#through(id, picture, options.signal)
      },
      // Cut to what the event is about, or not: where the masks lie in it nobody knows.
      evidence: async (event, options) =>
        event.cameraId !== null && this.#masks(event.cameraId).length
          ? null
          : archive.evidence(event, options),
    }
  }

  /** An event as it comes in. Never rejects: a picture that is not to be painted over is left out. */
  readonly event = async (event: IncomingEvent): Promise<IncomingEvent> => {
    const { cameraId, pictures, payload } = event
    if (cameraId === null || !pictures.length || !this.#masks(cameraId).length) return event
    const painted: Picture[] = []
    // What is cut to one thing does not say where that was.
    for (const each of payload.cut === true ? [] : pictures)
      try {
        painted.push(await this.#through(cameraId, each))
      } catch (error) {
        this.#options.log.warn({ camera: cameraId, error: messageOf(error) }, 'a picture was left out')
      }
    return { ...event, pictures: painted }
  }

  #masks(camera: string): readonly Polygon[] {
    return this.#options.site().masksOf(camera)
  }

  /** Rejects with `camera_masked`. */
  async #through(camera: string, picture: Picture, signal?: AbortSignal): Promise<Picture> {
    const masks = this.#masks(camera)
    if (!masks.length) return picture
    try {
      const patience = { timeoutMs: PATIENCE_MS, ...(signal && { signal }) }
      return await this.#options.eyes.paint(picture, masks, patience)
    } catch (error) {
      const message = `the masks of camera ${camera} could not be painted (${messageOf(error)}): its picture is not shown.`
      throw new GatehouseError('camera_masked', message, { status: 503, cause: error })
    }
  }
}
