import { GatehouseError } from '../../core/index.ts'

/** One file at a time: each try takes the models for itself. */
export class Alone {
  #busy = false

  /** Throws `try_busy`. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#busy)
      throw new GatehouseError('try_busy', 'Another file is being tried: wait until that is done.', {
        status: 409,
      })
    this.#busy = true
    try {
      return await work()
    } finally {
      this.#busy = false
    }
  }
}
