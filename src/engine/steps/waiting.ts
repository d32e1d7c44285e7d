import type { Decision } from '../../ai/index.ts'
import type { JsonValue } from '../../core/index.ts'
import type { DueRow, StepRow } from '../../store/index.ts'
import type { EngineDeps } from '../ports.ts'
import type { Node } from '../program.ts'
import type { Ended, Run } from '../run.ts'

/** A step that waits: its row says `waiting`, and a `due` row bears the kind's name and says until when. */
export interface Parking {
  /** What the step's row keeps as its inputs. */
  inputs: JsonValue
  /** When it is woken at the latest (epoch ms). */
  until: number
  /** What its `due` row keeps. */
  payload?: JsonValue
  /** What more is written in the same commit. */
  also?(stepId: number): void
  /** Called once that commit is on the disk. */
  told?(stepId: number): void
}

/** It waits, or it is over before it began to. */
export type Parked = { waits: Parking } | { ended: Ended; inputs: JsonValue }

/** What a waiting kind is woken with. */
export interface Waking {
  run: Run
  node: Node
  step: StepRow
  /** The row that rang; null where it is gone. */
  due: DueRow | null
  now: number
  deps: EngineDeps
}

/**
 * It ended, with what is written in the same commit; or what it held back begins now; or it waits on, until
 * then, with its own row as it is.
 * Lateness counts from the time in the `due` row.
 */
export type Woken =
  | ({ ended: Ended } & Beside)
  | { begin: true }
  | ({ again: number; payload?: JsonValue } & Beside)

interface Beside {
  /** What is written in the same commit. */
  also?(): void
  /** Called once that commit is on the disk, where it waits on. */
  told?(): void
  /** It looked at pictures (null), or why nothing can look. */
  down?: string | null | undefined
  /** What a language model decided, or why it did not. */
  thought?: Decision
}

/** One kind of waiting, and everything that it keeps is in rows. One file each beside this one. */
export interface WaitingKind {
  /** A step of that kind begins. Writes nothing itself. */
  park(run: Run, node: Node, deps: EngineDeps): Parked | Promise<Parked>
  /** Its time has come, by the clock or because somebody set its `due` row to now. Never called before that. */
  wake(waking: Waking): Woken | Promise<Woken>
  /** The time that was promised, where that is not when its row rings: lateness counts from there. */
  promised?(due: DueRow): number
  /**
   * The run is being stopped: called inside of the commit that ends the step. False: the wait was over already,
   * so that the step ends as it was going to and the run stops behind it.
   */
  stop?(step: StepRow, now: number, deps: EngineDeps): boolean
  /** That commit is on the disk. */
  stopped?(step: StepRow, deps: EngineDeps): void
}
