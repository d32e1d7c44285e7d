import { type Clock, GatehouseError } from '../../core/index.ts'
import type { Store } from '../../store/index.ts'

const MINUTE = 60_000
/** Nothing is held against anybody for longer than this. */
const FORGET_MS = 24 * 60 * MINUTE
const LONGEST_MS = 15 * MINUTE
/** Names and addresses that are remembered. */
const MOST_ROWS = 1_000

/** After how many failures in a row somebody is kept out, and how long then. */
interface Rule {
  free: number
  /** `over`: failures beyond the free ones, from 1. */
  lock(over: number): number
  /** A quiet time of that length begins anew. */
  quiet: number
}

const doubling = (over: number) => Math.min(MINUTE * 2 ** (over - 1), LONGEST_MS)

const RULES = {
  /** One account: whoever guesses waits longer each time. */
  name: { free: 4, lock: doubling, quiet: FORGET_MS },
  /** One address: guessing through many accounts ends. */
  from: { free: 19, lock: () => LONGEST_MS, quiet: LONGEST_MS },
  /** The claim of a new box. */
  claim: { free: 9, lock: doubling, quiet: FORGET_MS },
} as const satisfies Record<string, Rule>

/** What is counted: `name anna`, `from 192.168.1.7`, `claim`. */
export type Counted = `${keyof typeof RULES}${string}`

/** Counts what fails at the door in rows, so that no restart forgives it. */
export class Limits {
  readonly #store: Store
  readonly #clock: Clock

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /**
   * Counts a try under each key before it is made, as if it failed: many at once are no way around. Throws `locked_out`
   * (429) where one of them is kept out. Answers with those that this try would lock.
   */
  async take(keys: readonly Counted[], way: string): Promise<Counted[]> {
    const { attempts } = this.#store
    const now = this.#clock.now()
    const taken = await this.#store.write(() => {
      const until = Math.max(0, ...keys.map(key => attempts.get(key)?.until ?? 0))
      if (until > now) return { until, locks: [] }
      attempts.prune(now - FORGET_MS, MOST_ROWS)
      return { until: 0, locks: keys.filter(key => this.#count(key, now)) }
    })
    if (taken.until > now) throw lockedOut(taken.until - now, way)
    return taken.locks
  }

  /** It went well: what failed before under that key is forgotten. Inside of a commit. */
  forget(key: Counted): boolean {
    return this.#store.attempts.forget(key)
  }

  /** It went well: this try alone does not count. Inside of a commit. */
  forgive(key: Counted): void {
    const known = this.#store.attempts.get(key)
    if (!known) return
    const count = known.count - 1
    const locked = count > ruleOf(key).free
    this.#store.attempts.set({ ...known, count, until: locked ? known.until : 0 })
  }

  /** Until when a key is kept out (epoch ms), or null. */
  lockedUntil(key: Counted): number | null {
    const until = this.#store.attempts.get(key)?.until ?? 0
    return until > this.#clock.now() ? until : null
  }

  #count(key: Counted, now: number): boolean {
    const rule = ruleOf(key)
    const known = this.#store.attempts.get(key)
    const count = known && now - known.at < rule.quiet ? known.count + 1 : 1
    const over = count - rule.free
    this.#store.attempts.set({ key, count, at: now, until: over > 0 ? now + rule.lock(over) : 0 })
    return over > 0
  }
}

const ruleOf = (key: Counted): Rule => RULES[key.split(' ', 1)[0] as keyof typeof RULES]

function lockedOut(ms: number, way: string): GatehouseError {
  const minutes = Math.ceil(ms / MINUTE)
  const when = minutes === 1 ? 'a minute' : `${minutes} minutes`
  return new GatehouseError('locked_out', `Too many wrong tries: try again in ${when}${way}.`, {
    status: 429,
  })
}
