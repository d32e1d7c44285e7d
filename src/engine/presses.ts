import { type IncomingEvent, type JsonValue, messageOf, type Picture } from '../core/index.ts'
import type { DueRow, MediaRow } from '../store/index.ts'
import { type Admitted, eventKey, type Refusal, refusal } from './admit.ts'
import type { EngineDeps } from './ports.ts'
import { store as storePicture } from './steps/keep-picture.ts'

/** The kind of `due` row that holds a press waiting for its turn. */
export const PRESS = 'press'
/** Should the end of the run before it be missed, it is asked again after this: well before a move is too late. */
const AGAIN_MS = 5_000
/** Presses that wait for one and the same run. */
const MOST = 8

/** What waiting presses ask of the engine. */
export interface PressHooks {
  /** Whether a run goes on for that key. */
  isBusy(key: string): boolean
  /** Starts a run for it; false: it does not start any more. `take`: what that commit does with its rows. */
  begin(event: IncomingEvent, take: () => void): Promise<boolean>
}

/**
 * Presses of identified people, and scheduled runs, wait for the run before them: no limit drops them. They are
 * rows, as every wait, and so are their pictures. Of a schedule one waits at most: a second would only repeat it, and
 * a move expires anyway.
 */
export class Presses {
  readonly #deps: EngineDeps
  readonly #hooks: PressHooks
  /** What they wait for → their rows, oldest first. */
  readonly #waiting = new Map<string, number[]>()
  /** How many more are being written. */
  readonly #coming = new Map<string, number>()

  constructor(deps: EngineDeps, hooks: PressHooks) {
    this.#deps = deps
    this.#hooks = hooks
  }

  /** Reads the rows; those whose turn it is begin. */
  start(): void {
    this.#waiting.clear()
    for (const row of this.#deps.store.due.all()) {
      const press = row.kind === PRESS ? pressOf(row) : null
      if (press) this.#remember(press.key, row.id)
    }
    for (const key of [...this.#waiting.keys()]) this.turn(key)
  }

  /** `take`: what the same commit does with the row in which it waited for its time. */
  async queue({ loaded, event, key }: Admitted, take: (() => void) | null): Promise<Refusal> {
    const coming = this.#coming.get(key) ?? 0
    const waiting = (this.#waiting.get(key)?.length ?? 0) + coming
    if (event.kind === 'schedule' && waiting)
      return refusal('busy', `${loaded.row.name} waits its turn already.`)
    if (waiting >= MOST) return refusal('queue_full', `${MOST} presses wait for this run already.`)
    this.#coming.set(key, coming + 1)
    try {
      this.#remember(key, await this.#write(loaded.row.id, event, key, take))
    } finally {
      const left = (this.#coming.get(key) ?? 1) - 1
      if (left) this.#coming.set(key, left)
      else this.#coming.delete(key)
    }
    // The run that it waits for may have ended meanwhile.
    this.turn(key)
    return refusal('queued', `${loaded.row.name} is running: this starts by itself when that run has ended.`)
  }

  async #write(workflowId: number, event: IncomingEvent, key: string, take: (() => void) | null) {
    const { store, clock } = this.#deps
    const { pictures, ...rest } = event
    const stored = await Promise.all(pictures.map(each => storePicture(each, this.#deps)))
    const now = clock.now()
    const { kind, schema, cameraId } = event
    return store.write(() => {
      take?.()
      // It is taken from here on: sent again after a restart it must not wait twice.
      store.events.remember({ eventId: eventKey(event), kind, schema, cameraId, at: event.at, payload: null })
      const payload = { key, event: { ...rest, workflowId }, pictures: stored } as unknown as JsonValue
      return store.due.add({ at: now + AGAIN_MS, kind: PRESS, runId: null, stepId: null, payload })
    })
  }

  /** The oldest press that waits for `key` begins, unless a run for it goes on. */
  turn(key: string): void {
    const press = this.#hooks.isBusy(key) ? null : this.#next(key)
    if (!press) return
    this.#begin(press.row, press)
      .then(started => {
        // It may not start any more (Off, Needs attention): the next one has its turn.
        if (!started) this.turn(key)
      })
      .catch(error => {
        this.#waiting.set(key, [press.row.id, ...(this.#waiting.get(key) ?? [])])
        this.#deps.log.error({ error: messageOf(error) }, 'a press could not be taken up')
      })
  }

  async #begin(row: DueRow, press: Press): Promise<boolean> {
    const { store, media } = this.#deps
    const event = { ...press.event, pictures: [] as Picture[] }
    for (const { hash, takenAt, source } of press.pictures) {
      const bytes = await media.read(hash)
      if (bytes) event.pictures.push({ bytes, takenAt, source })
    }
    const take = () => void store.due.remove(row.id)
    if (await this.#hooks.begin(event, take)) return true
    await store.write(take)
    return false
  }

  /** It waits no more. */
  #next(key: string): (Press & { row: DueRow }) | null {
    for (;;) {
      const id = this.#waiting.get(key)?.shift()
      if (id === undefined) {
        this.#waiting.delete(key)
        return null
      }
      const row = this.#deps.store.due.get(id)
      const press = row && pressOf(row)
      if (row && press) return { row, ...press }
    }
  }

  #remember(key: string, id: number): void {
    this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), id])
  }
}

interface Press {
  key: string
  event: Omit<IncomingEvent, 'pictures'>
  /** Their bytes are files already. */
  pictures: Pick<MediaRow, 'hash' | 'takenAt' | 'source'>[]
}

/** Rows are written by `queue` alone. */
export function pressOf({ payload }: DueRow): Press | null {
  const { key, event, pictures = [] } = (payload ?? {}) as Partial<Press>
  return key && event ? { key, event, pictures } : null
}
