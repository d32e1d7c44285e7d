import { beginsKeyFrame, type Codec } from './key-frame.ts'

/** Of all video that is sent by RTP (RFC 6184, 7798, 2435). */
const TICKS_PER_MS = 90
const HEADER = 4
const LEAST_RTP = 12
/** A jump in a stream's own time, and no time that passed. */
const LEAP_MS = 60_000

/**
 * Compares a stream's own time with ours. A camera sends as it sees; whoever sends what they kept (a recorder's last
 * seconds, for a quick start) sends more than a second a second, and so much of it was old when it came.
 */
export class MediaClock {
  readonly #now: () => number
  #first: { at: number; ticks: number } | null = null
  #behind = 0
  #keyAt: number | null = null
  /** Null: not known here. */
  codec: Codec | null = null

  constructor(now: () => number) {
    this.#now = now
  }

  /** When the first media arrived (epoch ms), or null. */
  get firstAt(): number | null {
    return this.#first?.at ?? null
  }

  /** When the first picture began that needs none before it (epoch ms); null: that is not known. */
  get keyAt(): number | null {
    return this.#keyAt
  }

  /** How old the first media was when it came, as far as that has shown by now, ms. */
  get behindMs(): number {
    return this.#behind
  }

  /** A `$` frame. Video is on the first channel: nothing else is asked for. */
  take(frame: Uint8Array): void {
    if (frame[1] !== 0 || frame.byteLength < HEADER + LEAST_RTP) return
    const ticks = new DataView(frame.buffer, frame.byteOffset, frame.byteLength).getUint32(HEADER + 4)
    const at = this.#now()
    this.#first ??= { at, ticks }
    if (this.#keyAt === null && this.codec && beginsKeyFrame(frame.subarray(HEADER), this.codec))
      this.#keyAt = at
    const streamed = ((ticks - this.#first.ticks) | 0) / TICKS_PER_MS
    const lead = streamed - (at - this.#first.at)
    if (lead > this.#behind && Math.abs(streamed) < LEAP_MS) this.#behind = lead
  }
}
