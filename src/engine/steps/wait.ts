import { parseDuration } from '../../contract/index.ts'
import type { JsonValue } from '../../core/index.ts'
import type { WaitingKind } from './waiting.ts'

/** Waits for a while, and for nothing else. */
export const wait: WaitingKind = {
  park(_run, { step }, { clock }) {
    const until = clock.now() + (parseDuration(String(step.params)) ?? 0)
    return { waits: { inputs: step.params as JsonValue, until } }
  },
  wake() {
    return { ended: { status: 'done', outcome: null, result: null, ai: null } }
  },
}
