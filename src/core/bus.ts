import { messageOf } from './errors.ts'
import type { Log } from './log.ts'

/** A typed bus: what is published reaches every subscriber of its topic, in order, in the same turn. */
export class Bus<Topics extends object> {
  readonly #subscribers = new Map<keyof Topics, Set<(value: never) => void>>()
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  /** Calls back for each value of `topic` until the returned function is called. */
  on<T extends keyof Topics>(topic: T, callback: (value: Topics[T]) => void): () => void {
    const set = this.#subscribers.get(topic) ?? new Set()
    this.#subscribers.set(topic, set)
    set.add(callback)
    return () => set.delete(callback)
  }

  /** A subscriber that throws is logged and does not keep the others from hearing. */
  publish<T extends keyof Topics>(topic: T, value: Topics[T]): void {
    for (const callback of this.#subscribers.get(topic) ?? []) {
      try {
        ;(callback as (value: Topics[T]) => void)(value)
      } catch (error) {
        this.#log.error({ topic: String(topic), error: messageOf(error) }, 'a subscriber failed')
      }
    }
  }
}
