import type { Connection } from '../connection.ts'
import type { SnoozeRow } from '../rows.ts'

/** Workflows and cameras that start nothing for a while. */
export class Snoozes {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** In place of an earlier one. */
  set({ kind, target, until, by, at }: SnoozeRow): void {
    this.#connection.change(
      `INSERT INTO snoozes (kind, target, until, by, at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (kind, target) DO UPDATE SET until = excluded.until, by = excluded.by, at = excluded.at`,
      [kind, target, until, by, at],
    )
  }

  end(kind: SnoozeRow['kind'], target: string): void {
    this.#connection.change('DELETE FROM snoozes WHERE kind = ? AND target = ?', [kind, target])
  }

  /** Forgets those that are over at `at` (epoch ms). */
  prune(at: number): void {
    this.#connection.change('DELETE FROM snoozes WHERE until <= ?', [at])
  }

  all(): SnoozeRow[] {
    return this.#connection.all('SELECT kind, target, until, by, at FROM snoozes ORDER BY kind, target')
  }
}
