import type { RunSummary } from '../../engine/index.ts'
import { type RunEvent, runEventOf } from './entities/workflow-runs.ts'

/** What is older is no news to an automation. */
const NEWS_MS = 60_000
const MOST_REMEMBERED = 2_000

/** Tells of each run what happened to it once, however often it is published again. */
export class RunEvents {
  readonly #told = new Map<number, Set<RunEvent>>()

  /** The event as Home Assistant takes it, or null. `now`: epoch ms. */
  take(run: RunSummary, now: number): { event_type: RunEvent; [key: string]: unknown } | null {
    const event = runEventOf(run)
    const at = Date.parse(run.ended_at ?? run.started_at)
    const late = event !== 'waiting' && now - at > NEWS_MS
    const told = this.#told.get(run.id) ?? new Set()
    if (event === null || late || told.has(event)) return null
    this.#told.set(run.id, told.add(event))
    if (this.#told.size > MOST_REMEMBERED) this.#told.delete([...this.#told.keys()][0] ?? 0)
    return {
      event_type: event,
      ...{ run: run.id, decision: run.decision, reason: run.reason, camera: run.camera },
      ...{ started_at: run.started_at, ended_at: run.ended_at },
    }
  }
}
