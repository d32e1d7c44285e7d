import type { MediaFiles, Store } from '../store/index.ts'
import type { Eyes } from '../vision/index.ts'

/** Longer side of a picture that is only glanced at, pixels. */
const SMALL = 1280
const SMALL_MS = 10_000

/** What was kept of runs, by the id of its row. */
export class Album {
  readonly #parts: { store: Store; media: MediaFiles; eyes: Eyes }

  constructor(parts: { store: Store; media: MediaFiles; eyes: Eyes }) {
    this.#parts = parts
  }

  /** Null where it is not there any more. */
  async open(id: number): Promise<{ bytes: Uint8Array; type: string } | null> {
    const { store, media } = this.#parts
    const row = store.media.get(id)
    const bytes = row && (await media.read(row.hash))
    return row && bytes ? { bytes, type: row.type } : null
  }

  /** The same as a small JPEG. Rejects where nothing can look at pictures now. */
  async small(id: number): Promise<{ bytes: Uint8Array; type: string } | null> {
    const found = await this.open(id)
    if (!found) return null
    const picture = { bytes: found.bytes, takenAt: null, source: 'stored' }
    const { bytes } = await this.#parts.eyes.shrink(picture, SMALL, { timeoutMs: SMALL_MS })
    return { bytes, type: 'image/jpeg' }
  }
}
