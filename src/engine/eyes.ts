import type { Clock } from '../core/index.ts'

/** Eyes that stay shut for this long stop the workflows that need them. */
const AWAY_MS = 5 * 60_000

/** Since when the Looks of each workflow have gone unanswered because there was nobody to look. */
export class Eyes {
  readonly #clock: Clock
  readonly #shutSince = new Map<number, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Takes in one Look (`down`: why nobody looked). Answers why the workflow has to stand still, or null. */
  looked(workflowId: number, down: string | null): string | null {
    if (down === null) {
      this.#shutSince.delete(workflowId)
      return null
    }
    const now = this.#clock.now()
    const since = this.#shutSince.get(workflowId) ?? now
    this.#shutSince.set(workflowId, since)
    if (now - since < AWAY_MS) return null
    return `Nothing could look at its pictures for ${Math.round((now - since) / 60_000)} minutes: ${down}. Set its state again when that is mended.`
  }

  /** The owner set the workflow going again. */
  forget(workflowId: number): void {
    this.#shutSince.delete(workflowId)
  }
}
