import { messageOf } from '../core/index.ts'
import type { CallRequest, Voice } from '../kinds/index.ts'
import { isStoreFailure, type StepRow } from '../store/index.ts'
import { brokenOff, CALL, type Came, cameIn, dueOfCall, readCame, settleCall } from './call-came.ts'
import type { EngineDeps } from './ports.ts'

/** What came of a call and could not be written is tried again after this, until its time is up. */
const AGAIN_MS = 5_000

const LOST: Came = {
  code: 'interrupted',
  message:
    'The box stopped during the call: nobody knows what came of it, and nobody is called again for it.',
}

/** The calls that are going on. */
export interface Calling {
  /** Of a step whose row is on the disk. */
  place(step: Pick<StepRow, 'id' | 'runId'>, request: CallRequest): void
  hangUp(stepId: number): void
  /** How many there are. */
  readonly size: number
}

/**
 * The calls that are going on. Each is placed once, after its row is on the disk; what comes of it is written by
 * compare-and-set against its deadline and a stop. One that the process did not outlive is over.
 */
export class Calls implements Calling {
  readonly #deps: EngineDeps
  readonly #resume: (run: number) => void
  /** By the id of their step. */
  readonly #going = new Map<number, { abort: AbortController; task: Promise<void> }>()
  #open = false

  /** `resume`: has the run that waits go on. */
  constructor(deps: EngineDeps, resume: (run: number) => void) {
    this.#deps = deps
    this.#resume = resume
  }

  get size(): number {
    return this.#going.size
  }

  /** Calls that the process before this one did not see the end of come to nothing; their runs are not taken up yet. */
  async start(): Promise<void> {
    const { store, clock } = this.#deps
    const open = store.due.ofKind(CALL).filter(row => cameIn(row) === null)
    if (open.length)
      await store.write(() => {
        for (const row of open) settleCall(row, LOST, clock.now(), store)
      })
    this.#open = true
  }

  /** Hangs up, and waits at most `ms` for that. What had come of a call by then counts. */
  async stop(ms: number): Promise<void> {
    this.#open = false
    for (const { abort } of this.#going.values()) abort.abort()
    const late = Promise.withResolvers<void>()
    const cancel = this.#deps.clock.after(ms, late.resolve)
    await Promise.race([Promise.all([...this.#going.values()].map(({ task }) => task)), late.promise])
    cancel()
    this.#going.clear()
  }

  place(step: Pick<StepRow, 'id' | 'runId'>, request: CallRequest): void {
    const { log, world: { voice } = {} } = this.#deps
    // The box is stopping: the next start finds a call of which nothing came.
    if (!this.#open || !voice) return
    const abort = new AbortController()
    const task = this.#carry(step, request, voice, abort.signal)
      .catch(error => log.error({ run: step.runId, error: messageOf(error) }, 'a call was not seen off'))
      .finally(() => {
        if (this.#going.get(step.id)?.abort === abort) this.#going.delete(step.id)
      })
    this.#going.set(step.id, { abort, task })
  }

  hangUp(stepId: number): void {
    this.#going.get(stepId)?.abort.abort()
    this.#going.delete(stepId)
  }

  async #carry(
    step: Pick<StepRow, 'id' | 'runId'>,
    request: CallRequest,
    voice: Voice,
    signal: AbortSignal,
  ): Promise<void> {
    let came: Came
    try {
      came = readCame(await voice.place(request, signal), request)
    } catch (error) {
      came = brokenOff(error)
    }
    // Hung up from here: by then it is settled, or the next start says what became of it.
    if (signal.aborted && !('outcome' in came)) return
    if (await this.#settle(step, came, request.deadline)) this.#resume(step.runId)
  }

  async #settle(step: Pick<StepRow, 'id' | 'runId'>, came: Came, deadline: number): Promise<boolean> {
    const { store, clock } = this.#deps
    for (;;) {
      const now = clock.now()
      if (now >= deadline) return false
      try {
        return await store.write(() => settleCall(dueOfCall(step, store), came, now, store))
      } catch (error) {
        if (!isStoreFailure(error) || !this.#open) throw error
        await new Promise<void>(resolve => clock.after(AGAIN_MS, resolve))
      }
    }
  }
}
