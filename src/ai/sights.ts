import { messageOf, type Picture } from '../core/index.ts'
import { type Seen, VisionError } from '../vision/index.ts'
import type { LookInput, LookTools, TraceEntry, UnsureReason } from './types.ts'

/** A picture that claims to be from later than this is not believed: some clock is wrong. */
const AHEAD_MS = 60_000
/** Longer side of a picture for a model that sees, pixels: one may be larger than each of several. */
const SIDE = { one: 1280, several: 768 }

/** Whether a Look judges pictures and nothing else: then whoever answers questions about pictures can be asked. */
export function asksPictures({ pictures, text, event = null }: LookInput): boolean {
  return pictures.length > 0 && text === null && event === null
}

/** The pictures of a Look, as they are looked at. */
export class Sights {
  /** What detector and reader made of them. */
  readonly seen: { index: number; seen: Seen }[] = []
  /** For a model that sees. */
  readonly pictures: Picture[] = []
  readonly #input: LookInput
  readonly #tools: LookTools
  readonly #trace: TraceEntry[]
  readonly #lost = new Set<number>()
  readonly #started: number

  constructor(input: LookInput, tools: LookTools, trace: TraceEntry[]) {
    this.#input = input
    this.#tools = tools
    this.#trace = trace
    this.#started = tools.now()
  }

  /** How many of them could not be looked at. */
  get lost(): number {
    return this.#lost.size
  }

  /** Why these pictures are not to be judged, or null. */
  refusal(maxAgeMs: number): { unsureReason: UnsureReason; reason: string } | null {
    const { pictures } = this.#input
    const stale = (reason: string) => ({ unsureReason: 'stale_picture' as const, reason })
    if (!pictures.length) {
      const reason = 'there is no picture to look at: send one with the event, or name a camera with look_at'
      return { unsureReason: 'no_picture', reason }
    }
    for (const { takenAt, source } of pictures) {
      if (takenAt === null) return stale(`the age of the picture from ${source} is not known`)
      const age = this.#started - takenAt
      if (age > maxAgeMs) {
        const [seconds, allowed] = [age, maxAgeMs].map(ms => Math.round(ms / 1000))
        return stale(
          `the picture from ${source} is ${seconds} s old, at most ${allowed} s is allowed (max_age)`,
        )
      }
      if (age < -AHEAD_MS) return stale(`the picture from ${source} bears a time in the future`)
    }
    return null
  }

  /** Has all of them looked at by detector and reader. Rejects with `VisionError`. */
  async see(want: { objects: boolean; text: boolean }): Promise<void> {
    await this.#each(async (picture, index, options) => {
      const startedAt = this.#tools.now()
      const ms = () => this.#tools.now() - startedAt
      try {
        const seen = await this.#tools.vision.see(picture, want, options)
        this.seen.push({ index, seen })
        const { models, detections, lines, cut } = seen
        const name = [models.detector, models.reader].filter(model => model !== null).join(' + ')
        const result = { objects: detections.length, lines: lines?.length ?? null, cut, ms: { ...seen.ms } }
        this.#trace.push({ kind: 'model', name, startedAt, ms: ms(), result, status: 'ok' })
      } catch (error) {
        const result = messageOf(error)
        this.#trace.push({ kind: 'model', name: 'vision', startedAt, ms: ms(), result, status: 'failed' })
        throw error
      }
    })
  }

  /** Makes all of them ready for a model that sees. Rejects with `VisionError`. */
  async shrink(): Promise<void> {
    const side = this.#input.pictures.length > 1 ? SIDE.several : SIDE.one
    await this.#each(async (picture, _, options) => {
      this.pictures.push(await this.#tools.vision.shrink(picture, side, options))
    })
  }

  /** One damaged picture of several is done without, and counted; where none is left there is nothing to judge. */
  async #each(
    look: (
      picture: Picture,
      index: number,
      options: { timeoutMs: number; signal?: AbortSignal },
    ) => Promise<void>,
  ): Promise<void> {
    const { pictures } = this.#input
    const { now, timeoutMs, signal } = this.#tools
    for (const [index, picture] of pictures.entries()) {
      if (this.#lost.has(index)) continue
      const left = Math.max(1, timeoutMs - (now() - this.#started))
      try {
        await look(picture, index, { timeoutMs: left, ...(signal && { signal }) })
      } catch (error) {
        if (!(error instanceof VisionError) || error.failure !== 'no_picture') throw error
        this.#lost.add(index)
        if (this.#lost.size === pictures.length) throw error
      }
    }
  }
}
