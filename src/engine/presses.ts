import type { IncomingEvent, JsonValue } from '../core/index.ts'
import type { DueRow } from '../store/index.ts'
import { type Admitted, eventKey, type Refusal, refusal } from './admit.ts'
import type { EngineDeps } from './ports.ts'

/** The kind of `due` row that holds a press waiting for its turn. */
export const PRESS = 'press'
/** Should the end of the run before it be missed, it is asked again after this. */
const AGAIN_MS = 60_000
/** Presses that wait for one and the same run. */
const MOST = 8

/**
 * Presses of identified people, and scheduled runs, wait for the run before them: no limit drops them. They are
 * rows, as every wait. Of a schedule one waits at most: a second would only repeat it, and a move expires anyway.
 */
export class Presses {
  readonly #deps: EngineDeps
  /** What they wait for → their rows, oldest first. */
  readonly #waiting = new Map<string, number[]>()

  constructor(deps: EngineDeps) {
    this.#deps = deps
  }

  /** Reads the rows; answers with what presses wait for. */
  start(): string[] {
    this.#waiting.clear()
    for (const row of this.#deps.store.due.all()) {
      const press = row.kind === PRESS ? pressOf(row) : null
      if (press) this.#remember(press.key, row.id)
    }
    return [...this.#waiting.keys()]
  }

  /** `take`: what the same commit does with the row in which it waited for its time. */
  async queue({ loaded, event, key }: Admitted, take: (() => void) | null): Promise<Refusal> {
    const { store, clock } = this.#deps
    const waiting = this.#waiting.get(key)?.length ?? 0
    if (event.kind === 'schedule' && waiting)
      return refusal('busy', `${loaded.row.name} waits its turn already.`)
    if (waiting >= MOST) return refusal('queue_full', `${MOST} presses wait for this run already.`)
    const { pictures: _, ...rest } = event
    const payload = { key, event: { ...rest, workflowId: loaded.row.id } } as unknown as JsonValue
    const at = clock.now() + AGAIN_MS
    const { kind, schema, cameraId } = event
    const id = await store.write(() => {
      take?.()
      // It is taken from here on: sent again after a restart it must not wait twice.
      store.events.remember({ eventId: eventKey(event), kind, schema, cameraId, at: event.at, payload: null })
      return store.due.add({ at, kind: PRESS, runId: null, stepId: null, payload })
    })
    this.#remember(key, id)
    return refusal('queued', `${loaded.row.name} is running; this waits its turn.`)
  }

  /** The oldest press that waits for `key`; it waits no more. */
  next(key: string): { row: DueRow; event: IncomingEvent } | null {
    for (;;) {
      const id = this.#waiting.get(key)?.shift()
      if (id === undefined) {
        this.#waiting.delete(key)
        return null
      }
      const row = this.#deps.store.due.get(id)
      const press = row && pressOf(row)
      if (row && press) return { row, event: press.event }
    }
  }

  /** It was not its turn after all. */
  back(key: string, row: DueRow): void {
    this.#waiting.set(key, [row.id, ...(this.#waiting.get(key) ?? [])])
  }

  #remember(key: string, id: number): void {
    this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), id])
  }
}

/** Rows are written by `queue` alone. */
export function pressOf({ payload }: DueRow): { key: string; event: IncomingEvent } | null {
  const { key, event } = (payload ?? {}) as { key?: string; event?: object }
  return key && event ? { key, event: { ...event, pictures: [] } as unknown as IncomingEvent } : null
}
