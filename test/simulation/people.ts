import { GatehouseError } from '../../src/core/index.ts'
import type { Engine } from '../../src/engine/index.ts'
import type { Store } from '../../src/store/index.ts'
import type { Chance } from './chance.ts'
import type { Watch } from './watch.ts'

const ANN = { by: 'session', name: 'Ann' }

/** What people ask of the box. */
export interface PeopleDeps {
  chance: Chance
  watch: Watch
  box: () => { store: Store; engine: Engine }
  now: () => number
  note: (...words: unknown[]) => void
  /** Something was asked, or answered: the box is not at rest. */
  stir: () => void
}

/** People at the box: they answer, stop, switch, settle, pause, release and snooze, at any moment. */
export class People {
  readonly #deps: PeopleDeps

  constructor(deps: PeopleDeps) {
    this.#deps = deps
  }

  /** Somebody answers a question; now and then one that is decided already, or as nobody known. */
  reply(): void {
    const { chance, box } = this.#deps
    const open = box().engine.approvals({ open: !chance.percent(20) })
    if (!open.length) return
    const { id } = chance.of(open)
    const reply = chance.of(['Let in', 'Refuse'])
    this.#ask(['reply', id, reply], engine => engine.answer(id, reply, ANN))
  }

  stop(): void {
    const { chance, box, watch } = this.#deps
    const open = box().store.runs.unfinished()
    if (!open.length) return
    const { id } = chance.of(open)
    this.#ask(['stop', id], async engine => {
      const { steps } = await engine.stopRun(id)
      watch.stopped.set(id, steps.length - 1)
    })
  }

  switch(): void {
    const { chance, watch } = this.#deps
    const id = chance.of([...watch.workflows.keys()])
    const state = chance.of(['on', 'on', 'off', 'test'] as const)
    this.#ask(['state', id, state], engine => engine.setState(id, state))
  }

  /** Somebody says of a move that nobody knows of whether it happened, while its run goes on or after its end. */
  settle(): void {
    const { chance, box, watch } = this.#deps
    const { store } = box()
    const open = store.runs
      .list({ limit: 30 })
      .flatMap(({ id }) => store.intents.ofRun(id).filter(({ status }) => status === 'unknown'))
    if (!open.length) return
    const { runId, stepId } = chance.of(open)
    const happened = chance.percent(50)
    const seq = store.steps.seqOf(stepId)
    this.#ask(['settle', runId, seq, happened], async engine => {
      await engine.settle(runId, happened, 'Ann', seq)
      watch.settled(runId)
    })
  }

  pause(): void {
    const { watch } = this.#deps
    const paused = !watch.paused
    // It counts from the moment when it is asked for.
    watch.paused = paused
    this.#ask(['pause', paused], engine => engine.holds.pause(paused, ANN))
  }

  release(): void {
    const { chance, box, watch } = this.#deps
    const { held } = box().engine.holds.view()
    if (!held.length) return
    const { run } = chance.of(held)
    const go = chance.percent(60)
    if (go) watch.released.add(run)
    this.#ask(['release', run, go], async engine => {
      await engine.holds.release(run, go, ANN)
      if (go) watch.releases++
    })
  }

  snooze(): void {
    const { chance, watch, now } = this.#deps
    const id = chance.of([...watch.workflows.keys()])
    const ms = chance.of([0, 20_000, 120_000])
    // Its time runs from when it is asked for, and counts from when it is on the disk.
    const until = now() + ms
    this.#ask(['snooze', id, ms], async engine => {
      await engine.holds.snoozeWorkflow(id, ms, ANN)
      watch.snoozed(id, now(), until)
    })
  }

  #ask(words: unknown[], what: (engine: Engine) => Promise<unknown>): void {
    const { box, note, stir } = this.#deps
    note(...words)
    stir()
    what(box().engine).then(
      () => {
        stir()
        note('taken', ...words)
      },
      error => {
        stir()
        note('not taken', ...words, error instanceof GatehouseError ? error.code : String(error))
      },
    )
  }
}
