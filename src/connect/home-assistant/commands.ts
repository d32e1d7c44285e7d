import type { Clock } from '../../core/index.ts'

/** Commands at once, and again each second: people press slowly. */
const BURST = 20
const PER_SECOND = 5
const MOST_BYTES = 256

/** Why a command was not carried out. */
export type Ignored = 'retained' | 'malformed' | 'unknown' | 'too_many' | 'refused'

/** Judges what others publish at our command topics, before anything of it is looked at. */
export class Commands {
  readonly #clock: Clock
  readonly #ignored: Record<string, number> = {}
  #left = BURST
  #at = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** What was left out since the start, by reason. */
  get ignored(): Readonly<Record<string, number>> {
    return this.#ignored
  }

  count(why: Ignored): void {
    const name = `commands_${why}`
    this.#ignored[name] = (this.#ignored[name] ?? 0) + 1
  }

  /**
   * The text of a command, or null where it does not count: kept by the broker (it was meant for another time), no text,
   * or one too many.
   */
  take(payload: Uint8Array, retained: boolean): string | null {
    if (retained) return this.#leave('retained')
    if (payload.length === 0 || payload.length > MOST_BYTES) return this.#leave('malformed')
    let text: string
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(payload)
    } catch {
      return this.#leave('malformed')
    }
    if (/\p{Cc}/u.test(text)) return this.#leave('malformed')
    return this.#mayTake() ? text : this.#leave('too_many')
  }

  #leave(why: Ignored): null {
    this.count(why)
    return null
  }

  #mayTake(): boolean {
    const now = this.#clock.now()
    this.#left = Math.min(BURST, this.#left + (Math.max(0, now - this.#at) / 1000) * PER_SECOND)
    this.#at = now
    if (this.#left < 1) return false
    this.#left--
    return true
  }
}
