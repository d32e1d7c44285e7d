import { type Condition, parseDuration } from '../../contract/index.ts'
import type { JsonValue } from '../../core/index.ts'
import { weigh } from '../../kinds/index.ts'
import { conditionContext } from '../context.ts'
import { isObject } from '../json.ts'
import type { EngineDeps } from '../ports.ts'
import type { Ended, Run } from '../run.ts'
import {
  camerasAsked,
  downIn,
  keepReadings,
  type Readings,
  readTexts,
  seenOf,
  textOf,
  traced,
} from './texts.ts'
import type { WaitingKind } from './waiting.ts'

interface Params {
  until: Condition
  every: string
  timeout: string
}

/** A last look that comes later than this after the deadline is not taken any more: the box was down. */
const LATEST_MS = 5_000

/**
 * Looks again and again, each time because its row rings, until the condition holds or the time is up. What cannot
 * be read is “not yet”. Its deadline stands in its row from the beginning; looking writes nothing but the row's next
 * time.
 */
export const waitFor: WaitingKind = {
  async park(run, { step }, deps) {
    const { until, every, timeout } = step.params as Params
    const now = deps.clock.now()
    const inputs = step.params as JsonValue
    const deadline = now + (parseDuration(timeout) ?? 0)
    const looks = camerasAsked([until], run).length > 0
    // A condition that asks a camera is begun before it asks; any other is looked at right away.
    if (!looks && holds(until, run, now, now, new Map(), deps))
      return { ended: ended('met', 1, null), inputs }
    const first = looks ? now : Math.min(deadline, now + (parseDuration(every) ?? 0))
    return { waits: { inputs, until: first, payload: { deadline, looks: looks ? 0 : 1 } } }
  },

  async wake({ run, node, step, due, now, deps }) {
    const { until, every } = node.step.params as Params
    const { deadline, looks } = payloadOf(due?.payload, step.startedAt, node.step.params as Params)
    if (now > deadline + LATEST_MS) return { ended: ended('timeout', looks, null) }
    const readings = await readTexts(camerasAsked([until], run), run, deps)
    const seen = holds(until, run, deps.clock.now(), step.startedAt, readings, deps)
    const down = downIn(readings)
    if (!seen && now < deadline) {
      const next = Math.min(deadline, deps.clock.now() + (parseDuration(every) ?? 0))
      return {
        again: next,
        payload: { deadline, looks: looks + 1 },
        down,
        ...(readings.size && { also: () => traced(readings, step.id, deps) }),
      }
    }
    const keep = await keepReadings(readings, run, deps)
    const outcome = seen ? 'met' : 'timeout'
    return { ended: ended(outcome, looks + 1, readings), down, also: () => keep(step.id) }
  },

  promised: due =>
    isObject(due.payload) && typeof due.payload.deadline === 'number' ? due.payload.deadline : due.at,
}

function holds(
  until: Condition,
  run: Run,
  now: number,
  startedAt: number,
  readings: Readings,
  { site, siteMode }: EngineDeps,
): boolean {
  const ctx = conditionContext(run, site(), siteMode.get(), now, startedAt)
  return weigh(until, { ...ctx, textOf: textOf(readings) }) === true
}

function ended(outcome: 'met' | 'timeout', looks: number, readings: Readings | null): Ended {
  const result = { looks, ...(readings?.size && { seen: seenOf(readings) }) }
  return { status: 'done', outcome, result, ai: null }
}

/** Rows are written above; one that is gone is made up from the step's own. */
function payloadOf(payload: JsonValue | undefined, startedAt: number, { timeout }: Params) {
  const { deadline, looks } = (isObject(payload) ? payload : {}) as { deadline?: number; looks?: number }
  return { deadline: deadline ?? startedAt + (parseDuration(timeout) ?? 0), looks: looks ?? 0 }
}
