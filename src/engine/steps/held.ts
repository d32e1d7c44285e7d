import type { DueRow, Store } from '../../store/index.ts'
import { isObject } from '../json.ts'
import { failed } from './action.ts'
import type { WaitingKind } from './waiting.ts'

/** The kind of `due` row of a move that is held because moves are paused. */
export const HELD = 'held'
/** No guard holds longer than this over a wait, so that a held move does not either. */
const LONGEST_MS = 15 * 60_000

/** What was said about a held move, by whom; the first word counts. */
export type Said = { said: 'do' | 'leave' | 'unpaused' | 'expired'; by: string }

/** When a move that is held from now on expires (epoch ms). */
export const heldUntil = (now: number): number => now + LONGEST_MS

/**
 * A move that came due while moves are paused. A person has it made or left; when the pause ends within a minute
 * it is made by itself, and in any other case it expires and says so.
 */
export const held: WaitingKind = {
  park(run, node, { clock }) {
    return { waits: { inputs: node.render(run.values), until: heldUntil(clock.now()) } }
  },
  async wake({ run, due, now, deps }) {
    const said = due && (await firstWord(due, deps.store))
    switch (said?.said) {
      case 'do':
        // Somebody looked at it just now: how long it was held does not count against it.
        run.released = true
        run.readyAt = now
        return { begin: true }
      case 'unpaused':
        return { begin: true }
      case 'leave':
        return { ended: failed('not_released', `${said.by} decided that it is not to be done.`, true) }
      default:
        return {
          ended: failed(
            'expired',
            `Moves were paused and nobody decided within ${LONGEST_MS / 60_000} minutes: do it by hand if it is still wanted.`,
            true,
          ),
        }
    }
  },
}

/** What was said, or that nobody did: whoever comes later is told so. A word and the end of its time are one compare-and-set. */
async function firstWord(due: DueRow, store: Store): Promise<Said | null> {
  return (
    saidOf(due) ??
    store.write(() => {
      const row = store.due.get(due.id)
      const said = saidOf(row)
      if (row && !said) store.due.move(row.id, row.at, { said: 'expired', by: '' } satisfies Said)
      return said
    })
  )
}

function saidOf(due: DueRow | null): Said | null {
  return due && isObject(due.payload) ? (due.payload as unknown as Said) : null
}
