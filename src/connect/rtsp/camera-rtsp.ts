import type { Picture } from '../../core/index.ts'
import { maxPictureBytes } from '../../vision/index.ts'
import type { Driver } from '../cameras/driver.ts'
import { asOffline, offline } from '../cameras/offline.ts'
import { RtspPeer } from './peer.ts'
import { JpegReader } from './pictures.ts'
import { probe } from './probe.ts'
import { readStream, type Stream, UNPACKED } from './read-stream.ts'

/** From asking until a picture is there; the key frames of some cameras are ten seconds apart. */
const PICTURE_MS = 13_000
const PROBE_MS = 8_000
/** The first picture as soon as it is whole: no more is looked at than it takes to know the codec. */
const AT_ONCE = ['-flags', 'low_delay', '-analyzeduration', '0', '-probesize', '32']
const JPEG = ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-q:v', '3', '-f', 'mpjpeg', 'pipe:1']

/** A camera that streams by RTSP: nothing is kept from before, a picture is the first that came after it was asked. */
export class RtspCamera implements Driver {
  readonly rests = true
  readonly #stream: Stream
  readonly #pictureMs: number

  constructor(stream: Stream, pictureMs = PICTURE_MS) {
    this.#stream = stream
    this.#pictureMs = pictureMs
  }

  get place(): URL {
    return this.#stream.url
  }

  async snapshot({ signal }: { signal: AbortSignal }): Promise<Picture> {
    const [picture] = await this.#take(1, 0, signal)
    if (!picture) throw this.#nothing()
    return picture
  }

  frames({ count, overMs, signal }: Parameters<NonNullable<Driver['frames']>>[0]): Promise<Picture[]> {
    return this.#take(count, count > 1 ? overMs / (count - 1) : 0, signal)
  }

  async probe({ signal }: { signal: AbortSignal }): Promise<void> {
    const { clock, label, url } = this.#stream
    const late = new AbortController()
    const cancel = clock.after(PROBE_MS, () => late.abort())
    const within = AbortSignal.any([signal, late.signal])
    const peer = new RtspPeer({ ...this.#stream, signal: within, now: () => clock.now() })
    try {
      await probe(peer, url, within)
    } catch (error) {
      throw late.signal.aborted
        ? offline(`${label} sent no picture within ${PROBE_MS / 1000} s.`)
        : asOffline(error)
    } finally {
      cancel()
      peer.close()
    }
  }

  /** `everyMs`: from one picture to the next. */
  async #take(count: number, everyMs: number, signal: AbortSignal): Promise<Picture[]> {
    const { clock, label } = this.#stream
    const reader = new JpegReader(maxPictureBytes)
    const found: { bytes: Uint8Array; at: number }[] = []
    const { media } = await readStream(this.#stream, {
      input: [...AT_ONCE, ...UNPACKED],
      output: [...spread(everyMs), '-frames:v', String(count), ...JPEG],
      timeoutMs: this.#pictureMs + everyMs * count,
      signal,
      onOutput: chunk => {
        for (const bytes of reader.push(chunk)) found.push({ bytes, at: clock.now() })
        return found.length >= count
      },
    })
    if (found.length < count) throw this.#nothing()
    // What is unpacked late, on a busy box, came when it came.
    const latest = Math.min(...found.map(({ at }, index) => at - index * everyMs))
    const began = Math.min(media.keyAt ?? latest, latest) - media.behindMs
    return found.map(({ bytes }, index) => ({
      bytes,
      takenAt: Math.round(began + index * everyMs),
      source: label,
    }))
  }

  #nothing(): Error {
    return offline(`${this.#stream.label} sent no picture: look whether its stream plays.`)
  }
}

/** Of all pictures the first, then each that comes so much later; none twice. */
function spread(everyMs: number): string[] {
  if (everyMs <= 0) return []
  const seconds = everyMs / 1000
  const chosen = `isnan(prev_selected_t)+gte(t-prev_selected_t,${Math.max(0, seconds - 0.02)})`
  return ['-vf', `select='${chosen}',setpts=N*${seconds}/TB`, '-r', String(1 / seconds)]
}
