import type { Clock } from '../../core/index.ts'
import type { Board } from './board.ts'
import { PICTURE } from './entities/picture.ts'

/** More pictures than that are for nobody to look at. */
const EVERY_MS = 2_000
/** Whether it is still there: pictures are not kept for ever. */
const LOOK_AGAIN_MS = 3_600_000
/** What is still larger when it was made small is not shown. */
const MOST_BYTES = 1024 * 1024

export interface JudgedPictureOptions {
  board: Board
  clock: Clock
  /** A stored picture as a small JPEG, or null. */
  read(id: number): Promise<Uint8Array | null>
}

/** The picture that was judged last, as the broker keeps it: one at a time, and soon none that this box has no more. */
export class JudgedPicture {
  readonly #options: JudgedPictureOptions
  #shown: number | null = null
  #at = Number.NEGATIVE_INFINITY
  #working: Promise<void> | null = null
  #ended = false

  constructor(options: JudgedPictureOptions) {
    this.#options = options
  }

  again(): void {
    this.#shown = null
    this.#at = Number.NEGATIVE_INFINITY
  }

  /** Begins to show it, unless another one is on its way; whoever asks again later is heard then. */
  show(id: number | null): void {
    const since = this.#options.clock.now() - this.#at
    const due = id === this.#shown ? since >= LOOK_AGAIN_MS : since >= EVERY_MS
    if (id === null || !due || this.#working || this.#ended) return
    this.#at = this.#options.clock.now()
    this.#working = this.#show(id).finally(() => {
      this.#working = null
    })
  }

  async stop(): Promise<void> {
    this.#ended = true
    await this.#working
  }

  async #show(id: number): Promise<void> {
    const { board, read } = this.#options
    const bytes = await read(id).catch(() => null)
    const fits = bytes !== null && bytes.length <= MOST_BYTES
    if (await board.picture(PICTURE, fits ? bytes : new Uint8Array())) this.#shown = id
  }
}
