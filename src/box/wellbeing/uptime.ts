import type { Clock } from '../../core/index.ts'
import type { Store } from '../../store/index.ts'
import type { Words } from './words.ts'
import { clockOf, spanOf } from './words.ts'

const KEY = 'uptime'
/** How often it is written down that the box is up. */
export const BEAT_MS = 60_000
/** So often in so long it may end unasked before that is another matter. */
const ENDINGS = 3
const ENDINGS_MS = 30 * 60_000

interface Kept {
  /** When the box was up last (epoch ms). */
  at: number
  /** It was stopped by somebody. */
  asked: boolean
  /** When it began after it had ended unasked, lately. */
  unasked: number[]
  /** People were told that it keeps ending. */
  told: boolean
}

/** Whether this box ends without being asked to: kept in the database, so that the next start knows. */
export class Uptime {
  readonly #store: Store
  readonly #clock: Clock
  #kept: Kept

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
    this.#kept = { at: clock.now(), asked: false, unasked: [], told: false }
  }

  /** What people are told at a start; null: nothing. */
  async start(zone: string): Promise<Words | null> {
    const now = this.#clock.now()
    const before = keptIn(this.#store.meta.get(KEY))
    const recent = (before?.unasked ?? []).filter(at => at > now - ENDINGS_MS)
    const ended = before !== null && !before.asked
    const unasked = ended ? [...recent, now].slice(-20) : recent
    const often = unasked.length >= ENDINGS
    const told = before?.told ?? false
    await this.#keep({ at: now, asked: false, unasked, told: told || often })
    if (!ended || told) return null
    if (often)
      return {
        title: 'The box keeps ending without being asked to',
        body: `${unasked.length} times in half an hour. Look at its power supply and at its log; you are told once it stays up.`,
        severity: 'high',
      }
    return {
      title: 'The box is up again',
      body: `It ended without being asked to after ${clockOf(before.at, zone)}, and was away for ${spanOf(now - before.at)}: a power cut, or a fault.`,
      severity: 'medium',
    }
  }

  /** Writes down that the box is up; answers with what people are told, or null. */
  async beat(): Promise<Words | null> {
    const now = this.#clock.now()
    const { unasked, told } = this.#kept
    const steady = told && !unasked.some(at => at > now - ENDINGS_MS)
    await this.#keep({ at: now, asked: false, unasked: steady ? [] : unasked, told: told && !steady })
    return steady
      ? { title: 'The box stays up again', body: 'It has been up for half an hour.', severity: 'low' }
      : null
  }

  /** It was asked to. */
  async stop(): Promise<void> {
    await this.#keep({ ...this.#kept, at: this.#clock.now(), asked: true })
  }

  async #keep(kept: Kept): Promise<void> {
    this.#kept = kept
    const { meta } = this.#store
    await this.#store.write(() => meta.set(KEY, JSON.stringify(kept)))
  }
}

function keptIn(text: string | null): Kept | null {
  try {
    const kept = JSON.parse(text ?? '') as Kept
    return Number.isFinite(kept.at) && Array.isArray(kept.unasked) ? kept : null
  } catch {
    return null
  }
}
