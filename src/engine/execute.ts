import type { Condition } from '../contract/index.ts'
import type { JsonValue } from '../core/index.ts'
import { actions } from '../kinds/index.ts'
import type { DueRow, StepRow } from '../store/index.ts'
import { act } from './act.ts'
import type { Chained } from './chained.ts'
import { conditionContext } from './context.ts'
import type { ExecutorHooks } from './execute-hooks.ts'
import type { Holds } from './holds.ts'
import { effectOf } from './moves.ts'
import { boxAlert } from './notices.ts'
import type { EngineDeps } from './ports.ts'
import type { Node } from './program.ts'
import { LANGUAGE, modelDown, type ProviderName } from './providers.ts'
import type { Ended, Run } from './run.ts'
import { RunNotices } from './run-notices.ts'
import { type Begun, StepRows } from './step-rows.ts'
import { failed, runAction, stopped } from './steps/action.ts'
import { storeTrace } from './steps/ai.ts'
import { HELD, held, heldUntil } from './steps/held.ts'
import { runIf } from './steps/if.ts'
import { INVESTIGATE } from './steps/investigate.ts'
import { camerasAsked, downIn, keepReadings, readTexts } from './steps/texts.ts'
import { eyesDown, think } from './steps/think.ts'
import type { Parking, WaitingKind } from './steps/waiting.ts'
import { waitingKind } from './steps/waiting-kinds.ts'
import type { Tells } from './tells.ts'
import { isWorse, verdictOf } from './verdict.ts'
import { wouldHave } from './would-have.ts'

/** Rounds of loops within loops multiply: a run that has made so many steps ends. `always` has some more. */
const MOST_STEPS = 10_000
const SPARE_STEPS = 2_000
/** Rows that wait for one commit. */
const MOST_WRITES = 256

/** A step that waits and whose time has come. */
export interface Waits {
  /** The waiting kind's name. */
  kind: string
  node: Node
  step: StepRow
  due: DueRow | null
}

/** How a piece of a run's way ended: `again`, its step looked and waits on, its row as it was. */
export type Outcome = 'ended' | 'waits' | 'again' | 'put_down'

/** What follows: a step, nothing more, or nothing for now. */
type Next = Node | null | 'waits' | 'put_down'

/**
 * Takes runs from step to step. What a step is given is committed before it begins, and what it came to before
 * the next one acts: a result and the start of the next step share one commit. `if`, `log`, `alert`
 * and `notify` touch nothing but rows, so their rows travel with that commit too.
 */
export class Executor {
  readonly #deps: EngineDeps
  readonly #hooks: ExecutorHooks
  readonly #boxId: () => string
  readonly #tells: Tells
  readonly #holds: Holds
  readonly #notices: RunNotices
  readonly #rows: StepRows
  #closing = false

  constructor(
    deps: EngineDeps,
    rest: { tells: Tells; holds: Holds; chained: Chained },
    boxId: () => string,
    hooks: ExecutorHooks,
  ) {
    this.#deps = deps
    this.#rows = new StepRows(deps)
    this.#boxId = boxId
    this.#tells = rest.tells
    this.#holds = rest.holds
    this.#notices = new RunNotices(deps, rest.chained)
    this.#hooks = hooks
  }

  open(): void {
    this.#closing = false
  }

  /** From now on no step begins. */
  close(): void {
    this.#closing = true
  }

  /**
   * Carries a run on from a step that has not begun (`from`), or that had begun before a restart (`begun`).
   * Resolves with whether it ended, waits (its rows say until when) or was put down because the box stops.
   * Rejects when the store fails.
   */
  async drive(run: Run, from: Node | null, begun?: Begun): Promise<Outcome> {
    return this.#follow(run, begun ? await this.#carryOut(run, begun) : from)
  }

  /** Wakes a step whose time has come, and carries the run on where it has ended. */
  async wake(run: Run, { kind, node, step, due }: Waits): Promise<Outcome> {
    const { store, clock } = this.#deps
    const now = clock.now()
    const waking = { run, node, step, due, now, deps: this.#deps }
    const woken = await waitingKind(kind)?.wake(waking)
    // The box stops while it was being looked into: the row wakes it again after the restart.
    if (this.#closing) return 'put_down'
    if (woken && 'down' in woken) await this.#looked(run, step.id, 'eyes', woken.down)
    if (woken && 'thought' in woken && woken.thought)
      await this.#looked(run, step.id, 'language', modelDown(woken.thought, LANGUAGE, this.#deps))
    if (woken && 'begin' in woken && !run.stopping)
      return this.#follow(run, await this.#letGo(run, node, step, due))
    if (woken && 'again' in woken && !run.stopping) {
      run.writes.push(() => {
        if (due) store.due.move(due.id, woken.again, woken.payload ?? due.payload)
        else this.#wakeAt(run, kind, step.id, woken.again, woken.payload ?? null)
        woken.also?.()
      })
      await this.#commit(run, true)
      if ('also' in woken) this.#hooks.onStep(run, step.seq)
      woken.told?.()
      return 'again'
    }
    const over: Ended = { status: 'done', outcome: null, result: null, ai: null }
    const { ended, also } = woken && 'ended' in woken ? woken : { ended: over }
    const begun: Begun = { node, id: step.id, seq: step.seq, inputs: step.inputs, intent: null }
    if (kind === HELD) this.#notices.failed(run, begun, ended)
    const follows = this.#rows.finish(run, begun, ended, () => {
      if (due) store.due.remove(due.id)
      store.runs.setStatus(run.id, 'running')
      also?.()
    })
    const outcome = await this.#follow(run, follows)
    if (kind === HELD) this.#holds.changed()
    return outcome
  }

  /** Moves were paused while the intent of this one was written: nothing was done, so it is held like any other. */
  async #holdBack(run: Run, { id, intent }: Begun): Promise<Next> {
    const { store, clock } = this.#deps
    run.writes.push(() => {
      if (intent !== null) store.intents.takeBack(intent)
      store.steps.end(id, { status: 'waiting', endedAt: null })
      this.#wakeAt(run, HELD, id, heldUntil(clock.now()), null)
      store.runs.setStatus(run.id, 'waiting')
    })
    await this.#commit(run)
    this.#holds.changed()
    return 'waits'
  }

  /** A move that was held is made now: its intent is written as if it had just come due. */
  async #letGo(run: Run, node: Node, step: StepRow, due: DueRow | null): Promise<Next> {
    const begun: Begun = { node, id: step.id, seq: step.seq, inputs: step.inputs, intent: null }
    run.writes.push(() => {
      begun.intent = this.#holds.begin(step, due)
    })
    await this.#commit(run)
    this.#holds.changed()
    const follows = await this.#carryOut(run, begun)
    run.released = false
    return follows
  }

  async #follow(run: Run, first: Next): Promise<Outcome> {
    let node = first
    while (node) {
      if (node === 'put_down' || node === 'waits') return node
      if (this.#closing) {
        await this.#commit(run)
        return 'put_down'
      }
      node = await this.#step(run, node)
    }
    await this.#end(run)
    return 'ended'
  }

  async #step(run: Run, node: Node): Promise<Next> {
    const { store, clock } = this.#deps
    const { step } = node
    if (run.seq >= (node.section === 'then' ? MOST_STEPS : MOST_STEPS + SPARE_STEPS)) {
      const why = `A run has at most ${MOST_STEPS} steps: lower max, or split the workflow.`
      return this.#rows.whole(run, node, null, failed('too_many_steps', why, true))
    }
    if (this.#isStopped(run, node)) return this.#rows.whole(run, node, node.render(run.values), stopped())
    // Steps that are only rows could pile up without end in a loop.
    if (run.writes.length >= MOST_WRITES) await this.#commit(run)
    if (step.kind === 'for_each') return this.#rows.enter(run, node)
    const waiting = waitingKind(step.kind)
    if (waiting) return this.#park(run, node, step.kind, waiting)
    if (step.kind === 'if') return this.#branch(run, node, step.params as Condition[])
    const inputs = node.render(run.values)
    if (step.kind === 'log') {
      return this.#rows.whole(run, node, inputs, { status: 'done', outcome: null, result: null, ai: null })
    }
    const moves = step.kind !== 'ai' && effectOf(run, node, this.#deps.site()) === 'move'
    if (step.kind !== 'ai' && run.facts.state === 'test') {
      return this.#rows.whole(run, node, inputs, wouldHave(run, node, inputs, moves, this.#deps))
    }
    if (moves && this.#holds.paused) {
      const follows = await this.#park(run, node, HELD, held)
      this.#holds.changed()
      return follows
    }
    if (actions[step.kind as keyof typeof actions]?.rowsOnly) return this.#say(run, node, inputs)
    const row = this.#rows.of(run, node, inputs)
    const begun: Begun = { node, id: 0, seq: row.seq, inputs, intent: null }
    const startedAt = clock.now()
    run.writes.push(() => {
      const { id: runId } = run
      begun.id = store.steps.start({ ...row, runId, startedAt })
      if (!moves) return
      begun.intent = store.intents.open({
        runId,
        stepId: begun.id,
        kind: step.kind,
        params: inputs,
        createdAt: startedAt,
      })
    })
    await this.#commit(run)
    return this.#carryOut(run, begun)
  }

  async #branch(run: Run, node: Node, conditions: Condition[]): Promise<Next> {
    const { clock, siteMode } = this.#deps
    const asked = camerasAsked(conditions, run)
    if (asked.length) await this.#commit(run)
    const readings = asked.length ? await readTexts(asked, run, this.#deps) : null
    // Interrupted because the box stops: it is asked again after the restart.
    if (readings && this.#closing) return 'put_down'
    const now = clock.now()
    const ctx = conditionContext(run, this.#deps.site(), siteMode.get(), now, now)
    const ended = runIf(conditions, ctx, readings)
    if (!readings) return this.#rows.whole(run, node, null, ended)
    const keep = await keepReadings(readings, run, this.#deps)
    await this.#looked(run, null, 'eyes', downIn(readings))
    return this.#rows.whole(run, node, null, ended, keep)
  }

  /** They were there (`down` null), or they were not; the workflow may stand still from now on, and says so. */
  async #looked(
    run: Run,
    stepId: number | null,
    provider: ProviderName,
    down: string | null | undefined,
  ): Promise<void> {
    if (down === undefined) return
    const still = await this.#hooks.onLooked(run, provider, down)
    if (still === null) return
    const title = `${run.loaded.row.name} stands still`
    const { cameraId } = run.facts
    const about = run.loaded.row.id
    const createdAt = this.#deps.clock.now()
    this.#notices.add(
      run,
      boxAlert({ runId: run.id, stepId, title, body: still, cameraId, createdAt, about }),
    )
  }

  /** What is told in rows only is done with them: row, result and notice share one commit, whenever that comes. */
  async #say(run: Run, node: Node, inputs: JsonValue): Promise<Node | null> {
    // The pictures of its event get their ids with the run's first rows.
    if (!run.stored && run.brought > 0) await this.#commit(run)
    const { seq } = run
    const said = { id: 0, seq, inputs, effect: 'tell' as const }
    const { ended, notice } = await runAction(run, node, said, this.#boxId(), this.#deps)
    const follows = this.#rows.whole(run, node, inputs, ended)
    if (notice) this.#notices.add(run, notice, false, seq)
    return follows
  }

  /** Does what a begun step is about, and takes in how it ended. */
  async #carryOut(run: Run, begun: Begun): Promise<Next> {
    const { node, id } = begun
    // Stopped while its row was written, or before a restart: it is not begun, or not again.
    if (this.#isStopped(run, node)) return this.#rows.finish(run, begun, stopped())
    if (node.step.kind === 'ai') return this.#think(run, begun)
    if (begun.intent !== null && this.#holds.paused && !run.released) return this.#holdBack(run, begun)
    const again = actions[node.step.kind as keyof typeof actions]?.again === true
    run.thinking = again
    const acted = await act(run, begun, this.#boxId(), this.#deps)
    run.thinking = false
    // Interrupted because the box stops: it is done again after the restart.
    if (again && this.#closing && acted.ended.status === 'failed') return 'put_down'
    if (acted.ended.status === 'unknown') this.#notices.unknown(run, begun, acted.ended)
    if (begun.intent !== null) this.#notices.failed(run, begun, acted.ended)
    if (acted.notice) this.#notices.add(run, acted.notice)
    const later = acted.again && !run.stopping ? this.#tells.later(acted.again) : null
    if (!later) return this.#rows.finish(run, begun, acted.ended)
    run.rings = true
    return this.#rows.finish(run, begun, { ...acted.ended, result: later.result }, () => later.write(id))
  }

  /** Has an AI step decide; one that asks people waits for them. */
  async #think(run: Run, begun: Begun): Promise<Next> {
    const { store } = this.#deps
    const { id, node } = begun
    const came = await think(run, node, id, this.#deps)
    // Interrupted because the box stops: the step is run again after the restart.
    if (this.#closing) return 'put_down'
    if ('rests' in came) {
      return this.#waits(run, INVESTIGATE, came.rests, () => {
        store.steps.end(id, { status: 'waiting', endedAt: null })
        return id
      })
    }
    const { ended, decision, media, trace, asked = LANGUAGE } = came
    if (media !== null) run.lastMedia = media
    await this.#looked(run, id, 'eyes', eyesDown(came))
    await this.#looked(run, id, asked.name, modelDown(decision, asked, this.#deps))
    return this.#rows.finish(run, begun, ended, () => storeTrace(id, trace, store))
  }

  /** Whether a stop keeps a step from being done. As `always` begins, nothing is left to stop: it runs after whatever ran. */
  #isStopped(run: Run, node: Node): boolean {
    if (!run.stopping || node !== run.program.always) return run.stopping
    this.#rows.heard(run)
    return false
  }

  async #park(run: Run, node: Node, due: string, kind: WaitingKind): Promise<Next> {
    const { store, clock } = this.#deps
    const startedAt = clock.now()
    const parked = await kind.park(run, node, this.#deps)
    if ('ended' in parked) return this.#rows.whole(run, node, parked.inputs, parked.ended)
    const row = this.#rows.of(run, node, parked.waits.inputs)
    return this.#waits(run, due, parked.waits, () =>
      store.steps.start({ ...row, runId: run.id, status: 'waiting', startedAt }),
    )
  }

  /** From the next commit on a step waits, whose row `begin` writes. */
  async #waits(run: Run, due: string, rest: Omit<Parking, 'inputs'>, begin: () => number): Promise<'waits'> {
    const { store } = this.#deps
    const { until, payload = null, also, told } = rest
    let stepId = 0
    run.writes.push(() => {
      stepId = begin()
      this.#wakeAt(run, due, stepId, until, payload)
      store.runs.setStatus(run.id, 'waiting')
      also?.(stepId)
    })
    await this.#commit(run)
    told?.(stepId)
    return 'waits'
  }

  #wakeAt(run: Run, kind: string, stepId: number, at: number, payload: JsonValue): void {
    this.#deps.store.due.add({ at, kind, runId: run.id, stepId, payload })
  }

  async #end(run: Run): Promise<void> {
    const { store, clock } = this.#deps
    run.writes.push(() => {
      // What nobody knew while it happened may have been settled since: the rows say so.
      if (run.verdict === 'unknown') Object.assign(run, verdictOf(store.steps.ofRun(run.id)))
      if (run.givenUp !== null && isWorse('failed', run.verdict))
        Object.assign(run, { verdict: 'failed', error: run.givenUp } satisfies Partial<Run>)
      store.runs.end(run.id, run.verdict, clock.now(), run.error)
    })
    await this.#commit(run)
  }

  /** `quiet`: nothing that people see is different after it. */
  async #commit(run: Run, quiet = false): Promise<void> {
    const { writes, notices, rings } = run
    if (!writes.length) return
    run.writes = []
    run.notices = []
    run.rings = false
    const fresh = !run.stored
    await this.#deps.store.write(() => {
      for (const write of writes) write()
    })
    if (fresh) this.#hooks.onCommitted(run)
    if (!quiet) this.#news(run)
    for (const notice of notices) this.#hooks.onNotice(run, notice)
    if (rings) this.#hooks.onDue()
  }

  #news(run: Run): void {
    if (!run.listed) this.#hooks.onGoesOn(run)
    run.listed = true
    this.#hooks.onStep(run, run.seq - 1)
  }

  /** The interrupted move of a run that goes on after a restart: it is not tried again. */
  async lost(run: Run, begun: Begun, ended: Ended): Promise<Outcome> {
    this.#notices.unknown(run, begun, ended)
    return this.drive(run, this.#rows.finish(run, begun, ended))
  }
}
