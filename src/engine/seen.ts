import type { IncomingEvent } from '../core/index.ts'
import type { Store } from '../store/index.ts'
import { eventKey } from './admit.ts'

/** Ids of events that are remembered in memory; those that started a run are in the database too. */
const MOST = 8192

/**
 * Which events were taken before, and which workflows are still owed one because there was no room for its run: sent
 * again, it is news for these and nobody else.
 */
export class Seen {
  readonly #store: Store
  /** Event → the workflows that are owed it. */
  readonly #ids = new Map<string, Set<number>>()

  constructor(store: Store) {
    this.#store = store
  }

  /** Takes an event; answers for which workflows it is news. What is owed to them counts as given. */
  take(event: IncomingEvent): (workflow: number) => boolean {
    const key = eventKey(event)
    const known = this.#ids.get(key)
    if (known) {
      this.#ids.set(key, new Set())
      return workflow => known.has(workflow)
    }
    if (this.#ids.size >= MOST) for (const oldest of this.#ids.keys()) if (this.#ids.delete(oldest)) break
    this.#ids.set(key, new Set())
    const owed = this.#store.events.owed(key)
    return workflow => owed === null || owed.includes(workflow)
  }

  /** There was no room for a workflow's run of it, or its rows could not be stored. */
  owe(event: IncomingEvent, workflow: number): void {
    this.#ids.get(eventKey(event))?.add(workflow)
  }

  /** The workflows that are owed an event, as a run of it stores them with its own rows. */
  owed(event: IncomingEvent): number[] {
    return [...(this.#ids.get(eventKey(event)) ?? [])]
  }
}
