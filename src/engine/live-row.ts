import type { WorkflowRow } from '../store/index.ts'

type Patch = Partial<WorkflowRow>

/**
 * A workflow's row as it counts: what is stored and over it, in their order, the changes that are on their way to the
 * disk. A change counts at once: a move that is about to be made must not slip in before the disk has answered. One
 * that could not be stored is taken back, and leaves alone what came after it.
 */
export class LiveRow {
  /** One object as long as the box runs: runs at work ask it whether their workflow is still On. */
  readonly row: WorkflowRow
  #stored: WorkflowRow
  #coming: Patch[] = []

  constructor(stored: WorkflowRow) {
    this.row = { ...stored }
    this.#stored = stored
  }

  /**
   * Changes the row. `write` begins its commit in the same breath, so that changes are stored in the order in which
   * they count; `then`: what more the row says once that is stored.
   */
  async change<T>(patch: Patch, write: () => Promise<T>, then?: (result: T) => Patch): Promise<T> {
    this.#coming.push(patch)
    Object.assign(this.row, patch)
    try {
      const result = await write()
      this.#stored = { ...this.#stored, ...patch, ...then?.(result) }
      return result
    } finally {
      this.#coming = this.#coming.filter(each => each !== patch)
      Object.assign(this.row, this.#stored, ...this.#coming)
    }
  }
}
