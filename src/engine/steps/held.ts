import type { DueRow } from '../../store/index.ts'
import { isObject } from '../json.ts'
import { failed } from './action.ts'
import type { WaitingKind } from './waiting.ts'

/** The kind of `due` row of a move that is held because moves are paused. */
export const HELD = 'held'
/** No guard holds longer than this over a wait, so that a held move does not either. */
const LONGEST_MS = 15 * 60_000

/** What was said about a held move, by whom. */
export type Said = { said: 'do' | 'leave' | 'unpaused'; by: string }

/**
 * A move that came due while moves are paused. A person has it made or left; when the pause ends within a minute
 * it is made by itself, and in any other case it expires and says so.
 */
export const held: WaitingKind = {
  park(run, node, { clock }) {
    return { waits: { inputs: node.render(run.values), until: clock.now() + LONGEST_MS } }
  },
  wake({ run, due, now }) {
    const said = saidOf(due)
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

function saidOf(due: DueRow | null): Said | null {
  return due && isObject(due.payload) ? (due.payload as unknown as Said) : null
}
