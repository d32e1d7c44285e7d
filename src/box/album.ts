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
  async open(id: number): Promise<{ body: Blob; type: string } | null> {
    const { store, media } = this.#parts
    const row = store.media.get(id)
    const body = row && media.open(row.hash)
    return body && (await body.exists()) ? { body, type: row.type } : null
  }

  /** A picture as a small JPEG; null for a clip, too. Rejects where nothing can look at pictures now. */
  async small(id: number): Promise<{ bytes: Uint8Array; type: string } | null> {
    const found = await this.open(id)
    if (!found?.type.startsWith('image/')) return null
    const stored = new Uint8Array(await found.body.arrayBuffer())
    const picture = { bytes: stored, takenAt: null, source: 'stored' }
    const { bytes } = await this.#parts.eyes.shrink(picture, SMALL, { timeoutMs: SMALL_MS })
    return { bytes, type: 'image/jpeg' }
  }
}
