import type { JsonValue } from '../core/index.ts'
import { isObject } from './json.ts'
import { endOf, hasRounds } from './loops.ts'
import type { EngineDeps } from './ports.ts'
import type { Node } from './program.ts'
import type { Ended, Run } from './run.ts'
import { type ForEachParams, itemsOf } from './steps/for_each.ts'

/** A step whose row is written and that is to be carried out. */
export interface Begun {
  node: Node
  id: number
  seq: number
  inputs: JsonValue
  intent: number | null
}

/**
 * How steps begin and end in their rows: all of it waits in the run for its next commit. Each end answers with what
 * runs next.
 */
export class StepRows {
  readonly #deps: EngineDeps

  constructor(deps: EngineDeps) {
    this.#deps = deps
  }

  /** The row of a step that begins, without what only the commit knows. */
  of(run: Run, { path, step }: Node, inputs: JsonValue) {
    return { seq: run.seq++, path, kind: step.kind, name: step.name ?? null, item: run.loops.item, inputs }
  }

  /** A loop begins: its row says over what, before its first round. One over nothing is over at once. */
  enter(run: Run, node: Node): Node | null {
    const { store, clock } = this.#deps
    const startedAt = clock.now()
    const inputs = itemsOf(node.step.params as ForEachParams, startedAt, this.#deps)
    const stored = inputs as unknown as JsonValue
    if (!hasRounds(node, stored)) {
      return this.whole(run, node, stored, endOf({ inputs, round: 0, said: [] }, false))
    }
    const row = this.of(run, node, stored)
    const loop = { id: 0, seq: row.seq, open: true }
    run.writes.push(() => {
      loop.id = store.steps.start({ ...row, runId: run.id, startedAt })
    })
    run.readyAt = startedAt
    return run.enter(node, inputs, loop)
  }

  /** Takes in how a step ended, and goes to what runs next; loops that are over by it are ended with it. */
  #onward(run: Run, node: Node, ended: Ended): Node | null {
    const endedAt = run.readyAt
    return run.follow(node, ended, (loop, end) => {
      run.writes.push(() => this.#deps.store.steps.end(loop.row.id, { ...end, endedAt }))
    })
  }

  /** A step that begins and ends in one row. `also`: what the same commit writes of it. */
  whole(run: Run, node: Node, inputs: JsonValue, ended: Ended, also?: (stepId: number) => void): Node | null {
    const { store, clock } = this.#deps
    const at = clock.now()
    const row = this.of(run, node, inputs)
    this.#stopIfAsked(run, ended)
    run.writes.push(() => {
      const id = store.steps.start({ ...row, runId: run.id, ...ended, startedAt: at, endedAt: at })
      also?.(id)
    })
    run.readyAt = at
    return this.#onward(run, node, ended)
  }

  /** A step that had begun is over. `also`: what the same commit writes. */
  finish(run: Run, { node, id, intent }: Begun, ended: Ended, also?: () => void): Node | null {
    const { store, clock } = this.#deps
    const endedAt = clock.now()
    this.#stopIfAsked(run, ended)
    run.writes.push(() => {
      store.steps.end(id, { ...ended, endedAt })
      also?.()
      if (intent === null) return
      store.intents.close(intent, ended.status === 'would_have' ? 'failed' : ended.status, endedAt)
    })
    run.readyAt = endedAt
    return this.#onward(run, node, ended)
  }

  /** A run that was stopped goes on with `always`; the step's row says so. */
  #stopIfAsked(run: Run, ended: Ended): void {
    if (!run.stopping) return
    this.heard(run)
    const result = isObject(ended.result) ? ended.result : {}
    // Of a move that nobody knows of it is more urgent to say that.
    const message = ended.status === 'unknown' ? result.message : null
    ended.result = { ...result, message: message ?? 'The run was stopped.', stopped: true, ends_path: true }
  }

  /** The stop that was asked for has taken effect; the next commit says so. */
  heard(run: Run): void {
    run.stopped()
    run.writes.push(() => this.#deps.store.runs.setStop(run.id, null))
  }
}
