import type { Store } from '../../store/index.ts'

const KEY = 'camera_outages'

export type OutageStore = Pick<Store, 'write' | 'meta'>

/** A camera gives no picture. */
interface Outage {
  /** Epoch ms. */
  since: number
  /** Workflows that have heard of it. */
  told: Set<number>
}

/** The outages of cameras, kept over a restart: what has lasted since before it is not news. */
export class Outages {
  readonly #store: OutageStore
  readonly #outages = new Map<string, Outage>()
  #saved = ''

  constructor(store: OutageStore) {
    this.#store = store
  }

  start(): void {
    this.#outages.clear()
    this.#saved = this.#store.meta.get(KEY) ?? '[]'
    for (const [id, since, told] of this.#read()) this.#outages.set(id, { since, told: new Set(told) })
  }

  #read(): [string, number, number[]][] {
    try {
      return JSON.parse(this.#saved)
    } catch {
      return []
    }
  }

  all(): ReadonlyMap<string, Readonly<Outage>> {
    return this.#outages
  }

  of(id: string): Outage | null {
    return this.#outages.get(id) ?? null
  }

  /** A camera is offline; another `since` is another outage. */
  began(id: string, since: number): void {
    if (this.#outages.get(id)?.since !== since) this.#outages.set(id, { since, told: new Set() })
  }

  /** Whether there was one. */
  ended(id: string): boolean {
    return this.#outages.delete(id)
  }

  /** Keeps what there is now; cameras besides `wanted` are nobody's business any more. */
  async save(wanted: readonly string[]): Promise<void> {
    for (const id of this.#outages.keys()) if (!wanted.includes(id)) this.#outages.delete(id)
    const text = JSON.stringify([...this.#outages].map(([id, { since, told }]) => [id, since, [...told]]))
    if (text === this.#saved) return
    await this.#store.write(() => this.#store.meta.set(KEY, text))
    this.#saved = text
  }
}
