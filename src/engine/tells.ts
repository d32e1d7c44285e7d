import { actionKind, type Effect } from '../contract/index.ts'
import { type JsonValue, messageOf } from '../core/index.ts'
import { actions, Undelivered } from '../kinds/index.ts'
import type { DueRow, RunRow, StepRow } from '../store/index.ts'
import { actionRoom, observedAt } from './action-room.ts'
import { siteView } from './context.ts'
import { isObject } from './json.ts'
import type { EngineDeps } from './ports.ts'
import { runCorrelation } from './taint.ts'

/** The kind of `due` row that has a message sent again. */
export const TELL = 'tell'
/** How long after each try the next one follows. */
const RETRIES_MS: readonly number[] = [1_000, 5_000, 30_000, 2 * 60_000, 10 * 60_000]
/** News is not sent any more when it is this old: the box was down, or set to another time. */
const OLDEST_MS = 60 * 60_000
/** Messages that wait for another try; of more, the first try is the last. */
const MOST = 1_000
/** Tries at the same time, so that a destination that hangs does not take everything. */
const MOST_AT_ONCE = 16

/** Stable over all tries of a step. The box's id is part of it: two boxes may tell the same receiver. */
export function deliveryId(boxId: string, runId: number, seq: number): string {
  return `${boxId}-${runId}-${seq}`
}

/** What messages under way ask of the engine, and tell it. */
export interface TellsHooks {
  boxId(): string
  /** The row of a step changed after its run had gone on. */
  onStep(run: number, seq: number): void
  /** There are other due rows than before. */
  onDue(): void
}

/**
 * Messages that did not get through are sent again, a bounded number of times, under the same delivery id and
 * with the same body: that of the step's row. The run has gone on; what becomes of the message is written to its step.
 */
export class Tells {
  readonly #deps: EngineDeps
  readonly #hooks: TellsHooks
  readonly #retries: readonly number[]
  readonly #trying = new Map<number, Promise<void>>()
  #abort = new AbortController()

  constructor(deps: EngineDeps, hooks: TellsHooks) {
    this.#deps = deps
    this.#hooks = hooks
    this.#retries = deps.options?.tellRetriesMs ?? RETRIES_MS
  }

  start(): void {
    this.#abort = new AbortController()
  }

  /** Breaks off what is being sent, waiting at most `ms` for that: it is sent again after the restart. */
  async stop(ms: number): Promise<void> {
    this.#abort.abort()
    const late = Promise.withResolvers<void>()
    const cancel = this.#deps.clock.after(ms, late.resolve)
    await Promise.race([Promise.allSettled(this.#trying.values()), late.promise])
    cancel()
    this.#trying.clear()
  }

  /** After the first try: what its step says, and what is written with that; null: there is no other try. */
  later(error: Undelivered): { result: JsonValue; write: (stepId: number) => void } | null {
    const wait = this.#retries[0]
    if (wait === undefined) return null
    if (this.#deps.store.due.countOf(TELL) >= MOST) {
      this.#deps.onShed?.('tell_given_up')
      return null
    }
    const at = this.#deps.clock.now() + wait
    return {
      result: waiting(error, 1, at),
      write: stepId => {
        this.#deps.store.due.add({ at, kind: TELL, runId: null, stepId, payload: { tries: 1 } })
      },
    }
  }

  /** Tries again what is due. What finds no room is rung for again. */
  ring(row: DueRow): void {
    if (this.#trying.has(row.id) || this.#trying.size >= MOST_AT_ONCE || this.#abort.signal.aborted) return
    const task = this.#again(row)
      .catch(error => this.#deps.log.error({ error: messageOf(error) }, 'a message could not be tried again'))
      .finally(() => this.#trying.delete(row.id))
    this.#trying.set(row.id, task)
  }

  async #again(due: DueRow): Promise<void> {
    const { store, clock } = this.#deps
    const step = due.stepId === null ? null : store.steps.get(due.stepId)
    const run = step && store.runs.get(step.runId)
    const tries = (isObject(due.payload) && typeof due.payload.tries === 'number' ? due.payload.tries : 0) + 1
    if (!step || !run) return this.#end(due, null, 'failed', null)
    const obstacle = this.#obstacle(run, step)
    if (obstacle) return this.#end(due, step, 'failed', { ...obstacle, tries: tries - 1 })
    try {
      const receipt = await this.#send(run, step)
      const delivered = new Date(clock.now()).toISOString()
      await this.#end(due, step, 'done', { ...receipt, tries, delivered_at: delivered })
    } catch (error) {
      if (this.#abort.signal.aborted) return
      const wait = error instanceof Undelivered ? this.#retries[tries - 1] : undefined
      if (!(error instanceof Undelivered) || wait === undefined) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'failed'
        return this.#end(due, step, 'failed', { code, message: messageOf(error), tries })
      }
      const at = clock.now() + wait
      await store.write(() => {
        store.due.move(due.id, at, { tries })
        this.#write(step, 'failed', waiting(error, tries, at))
      })
      this.#hooks.onStep(step.runId, step.seq)
      this.#hooks.onDue()
    }
  }

  async #send(
    run: RunRow,
    { id: stepId, kind, inputs, seq }: StepRow,
  ): Promise<{ [key: string]: JsonValue }> {
    const { outgoing, siteMode, world = {} } = this.#deps
    const { signal } = this.#abort
    const action = actions[kind as keyof typeof actions]
    const { receipt } = await action.run(inputs, {
      room: actionRoom(
        { runId: run.id, stepId, cameraId: run.cameraId, at: observedAt(run), signal },
        this.#deps,
      ),
      deliveryId: deliveryId(this.#hooks.boxId(), run.id, seq),
      correlationId: runCorrelation(this.#hooks.boxId(), run.id),
      effect: 'tell',
      severest: 'medium',
      capped: null,
      signal,
      outgoing,
      siteMode,
      world,
    })
    return receipt
  }

  /** Why a message is not tried any more. */
  #obstacle(run: RunRow, step: StepRow): { code: string; message: string } | null {
    if (step.broken) return { code: 'row_broken', message: 'What was to be sent cannot be read any more.' }
    if (run.status === 'stopped') return { code: 'stopped', message: 'The run was stopped.' }
    if (this.#deps.clock.now() - step.startedAt > OLDEST_MS)
      return { code: 'expired', message: 'It could not be sent for an hour and is not sent any more.' }
    if (this.#effect(run, step) !== 'move') return null
    return { code: 'not_informing', message: 'What it goes to moves something by now: not sent any more.' }
  }

  #effect(run: RunRow, { kind, inputs }: StepRow): Effect {
    const slug = this.#deps.store.workflows.get(run.workflowId)?.slug ?? ''
    const view = siteView(this.#deps.site(), slug)
    return actionKind(kind)?.effect(inputs as never, view, undefined) ?? 'move'
  }

  async #end(due: DueRow, step: StepRow | null, status: 'done' | 'failed', result: JsonValue): Promise<void> {
    const { store } = this.#deps
    await store.write(() => {
      if (store.due.remove(due.id) && step) this.#write(step, status, result)
    })
    if (step) this.#hooks.onStep(step.runId, step.seq)
  }

  /** The step keeps its end: it is when the run went on. */
  #write({ id, outcome, ai, endedAt }: StepRow, status: 'done' | 'failed', result: JsonValue): void {
    this.#deps.store.steps.end(id, { status, outcome, ai, result, endedAt })
  }
}

function waiting({ code, message }: Undelivered, tries: number, at: number): JsonValue {
  return { code, message, tries, retrying: true, next_try_at: new Date(at).toISOString() }
}
