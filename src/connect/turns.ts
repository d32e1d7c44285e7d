import { GatehouseError } from '../core/index.ts'

/** Lets a few work at once and some wait, in the order in which they came; more are turned away. */
export class Turns {
  readonly #most: number
  readonly #mostWaiting: number
  readonly #waiting: (() => void)[] = []
  #working = 0
  /** How many were turned away. */
  shed = 0

  constructor(most: number, mostWaiting: number) {
    this.#most = most
    this.#mostWaiting = mostWaiting
  }

  /** Rejects with `busy` where too many wait, and with the signal's reason where nobody waits for it any more. */
  async take<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#turn(signal)
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#working--
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    if (this.#working < this.#most) {
      this.#working++
      return
    }
    if (this.#waiting.length >= this.#mostWaiting) {
      this.shed++
      throw new GatehouseError('busy', `${this.#waiting.length} requests wait already: try again later.`, {
        status: 503,
      })
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = () => {
      const at = this.#waiting.indexOf(resolve)
      if (at >= 0) this.#waiting.splice(at, 1)
      if (at >= 0) reject(signal.reason)
    }
    this.#waiting.push(resolve)
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    await promise.finally(() => signal.removeEventListener('abort', leave))
  }
}
