import { GatehouseError } from '../../core/index.ts'
import type { NoticeView } from '../../engine/index.ts'

/** How something is handed over. */
export interface Handing {
  /** The same at every try and by every channel, so that a repeat can be told. */
  id: string
  signal: AbortSignal
}

/** Somebody who is told what stands in an outbox: mostly notices, as they are in the table `notices`. */
export interface NoticeChannel<T = NoticeView> {
  /** Names its place in the store: another name is another channel, told only what comes from then on. */
  readonly name: string
  /** What it is called in logs and counts, where its name tells whom it reaches. */
  readonly label?: string
  /** What it does not want is passed over. Asked each time: it may change with the site. */
  wants(told: T): boolean
  /**
   * Resolves once the receiver has it for good. Rejects where it did not get through: it is tried again, and what
   * follows waits. What can never get through rejects with `neverTold`.
   */
  deliver(told: T, handing: Handing): Promise<void>
  /** More are not told in one second; default: as fast as they get through. */
  readonly perSecond?: number
  /** What is done where there is too much for one reader. */
  readonly crowd?: Crowd<T>
}

/** So much is told in a minute; where more has gathered by the end of it, all of that is told as one. */
export interface Crowd<T> {
  readonly perMinute: number
  /** What is worse weighs more. */
  weigh(told: T): number
  /** As `NoticeChannel.deliver`; the id is that of the latest. */
  deliver(surplus: Surplus<T>, handing: Handing): Promise<void>
}

/** What was too much to be told one by one. */
export interface Surplus<T> {
  count: number
  /** Those that weigh most, the latest of them first. */
  worst: readonly T[]
}

/** What a channel rejects with where another try would come to the same. */
export function neverTold(message: string): GatehouseError {
  return new GatehouseError('never_told', message, { status: 502 })
}

/** What was not told, or not by itself, since the start, by reason. */
export interface Untold {
  /** Too old, or too many were waiting. */
  expired: number
  /** It could never get through. */
  refused: number
  /** Told together with others. */
  summed: number
}
