import { GatehouseError, type Identified, iso, messageOf } from '../core/index.ts'
import type { DueRow, SnoozeRow, StepRow } from '../store/index.ts'
import type { HoldsApi } from './api.ts'
import { isObject } from './json.ts'
import type { EngineDeps } from './ports.ts'
import { HELD, type Said } from './steps/held.ts'
import type { HoldsView } from './types.ts'
import { knownRun } from './view.ts'
import { workflowRef } from './workflow-ref.ts'

/** Under this key the store says that moves are paused, by whom and since when. */
const KEY = 'pause'
/** A snooze is for a while: what shall stay quiet for longer is switched Off. */
const LONGEST_SNOOZE_MS = 31 * 24 * 3_600_000

/** What the audit has of a change that has no text before and after. */
const nothing = { before: null, after: null }

/** What holding back tells the engine. */
export interface HoldsHooks {
  /** Something was said about the held move of a run: its row is due. */
  onSaid(run: number): void
  /** A workflow looks different from before. */
  onWorkflow(id: number): void
}

/** The switch that holds all moves, and what is snoozed. Both are rows and survive a restart. */
export class Holds implements HoldsApi {
  readonly #deps: EngineDeps
  readonly #hooks: HoldsHooks
  #pause: { by: string; at: number } | null = null
  #snoozes: SnoozeRow[] = []

  constructor(deps: EngineDeps, hooks: HoldsHooks) {
    this.#deps = deps
    this.#hooks = hooks
  }

  start(): void {
    const { store } = this.#deps
    const text = store.meta.get(KEY)
    this.#pause = text ? JSON.parse(text) : null
    this.#snoozes = store.snoozes.all()
    this.#free()
  }

  get paused(): boolean {
    return this.#pause !== null
  }

  view(): HoldsView {
    const { store } = this.#deps
    const now = this.#deps.clock.now()
    return {
      paused: this.paused,
      by: this.#pause?.by ?? null,
      since: this.#pause && iso(this.#pause.at),
      held: store.due.ofKind(HELD).flatMap(row => heldView(row, this.#deps)),
      snoozes: this.#snoozes
        .filter(({ until }) => until > now)
        .map(({ kind, target, until, by, at }) => ({ kind, target, until: iso(until), by, since: iso(at) })),
    }
  }

  async pause(paused: boolean, { name }: Identified): Promise<HoldsView> {
    const { store, clock } = this.#deps
    if (paused === this.paused) return this.view()
    const before = this.#pause
    const at = clock.now()
    // It counts at once: a move that is about to be made must not slip in before the disk has answered.
    this.#pause = paused ? { by: name, at } : null
    let runs: (number | null)[]
    try {
      runs = await store.write(() => {
        const action = paused ? 'moves.pause' : 'moves.unpause'
        store.audit.add({ ...nothing, at, author: name, action, target: 'system' })
        store.meta.set(KEY, paused ? JSON.stringify({ by: name, at }) : '')
        // With the same commit: after a kill no move is held that nothing holds any more.
        return paused ? [] : this.#dueNow(name)
      })
    } catch (error) {
      this.#pause = before
      throw error
    }
    for (const run of runs) if (run !== null) this.#hooks.onSaid(run)
    return this.#told()
  }

  /** The pause is over: each held move is judged by how late it is. */
  async #letGo(by: string): Promise<void> {
    const runs = await this.#deps.store.write(() => this.#dueNow(by))
    for (const run of runs) if (run !== null) this.#hooks.onSaid(run)
  }

  /** Inside of a commit; answers with the runs. */
  #dueNow(by: string): (number | null)[] {
    const { store, clock } = this.#deps
    const rows = store.due.ofKind(HELD).filter(({ payload }) => payload === null)
    for (const { id } of rows) store.due.move(id, clock.now(), { said: 'unpaused', by } satisfies Said)
    return rows.map(({ runId }) => runId)
  }

  async release(run: number, go: boolean, { name }: Identified): Promise<void> {
    const { store, clock } = this.#deps
    knownRun(run, store)
    const said: Said = { said: go ? 'do' : 'leave', by: name }
    const first = await store.write(() => {
      const row = store.due.ofRun(run).find(({ kind }) => kind === HELD)
      if (row?.payload !== null || row === undefined) return row?.payload
      store.audit.add({
        ...nothing,
        at: clock.now(),
        author: name,
        action: `move.${said.said}`,
        target: `run ${run}`,
      })
      // Whoever is first decides: the row is due now, and says why.
      store.due.move(row.id, clock.now(), said)
      return said
    })
    if (first !== said) {
      const why = isObject(first) ? ` any more: ${decidedBy(first as unknown as Said)}` : ''
      throw new GatehouseError('not_held', `Run ${run} holds no move${why}.`, { status: 409 })
    }
    this.#hooks.onSaid(run)
  }

  /** Writes that a held move is made now; answers with its intent. Inside of a commit. */
  begin({ id: stepId, runId, kind, inputs: params }: StepRow, due: DueRow | null): number {
    const { store, clock } = this.#deps
    if (due) store.due.remove(due.id)
    store.steps.end(stepId, { status: 'running', endedAt: null })
    store.runs.setStatus(runId, 'running')
    return store.intents.open({ runId, stepId, kind, params, createdAt: clock.now() })
  }

  async snoozeWorkflow(id: number, ms: number, by: Identified): Promise<HoldsView> {
    if (!this.#deps.store.workflows.get(id))
      throw new GatehouseError('workflow_unknown', `There is no workflow ${id}.`, { status: 404 })
    const view = await this.#snooze('workflow', String(id), ms, by)
    this.#hooks.onWorkflow(id)
    return view
  }

  async snoozeCamera(id: string, ms: number, by: Identified): Promise<HoldsView> {
    const site = this.#deps.site()
    if (!site.cameraName(id) && !site.rolesOf(id).length)
      throw new GatehouseError('camera_unknown', `There is no camera ${id}.`, { status: 404 })
    return this.#snooze('camera', id, ms, by)
  }

  /** Until when a workflow is snoozed (epoch ms), or null. */
  workflowUntil(id: number): number | null {
    return this.#until('workflow', String(id))
  }

  /** Until when nothing of this camera starts this workflow (epoch ms), and which of the two it is. */
  snoozed(workflowId: number, cameraId: string | null): { what: SnoozeRow['kind']; until: number } | null {
    const workflow = this.workflowUntil(workflowId)
    if (workflow !== null) return { what: 'workflow', until: workflow }
    const camera = cameraId === null ? null : this.#until('camera', cameraId)
    return camera === null ? null : { what: 'camera', until: camera }
  }

  #until(kind: SnoozeRow['kind'], target: string): number | null {
    if (!this.#snoozes.length) return null
    const found = this.#snoozes.find(each => each.kind === kind && each.target === target)
    return found && found.until > this.#deps.clock.now() ? found.until : null
  }

  async #snooze(kind: SnoozeRow['kind'], target: string, ms: number, { name }: Identified) {
    const { store, clock } = this.#deps
    if (!(ms >= 0 && ms <= LONGEST_SNOOZE_MS))
      throw new GatehouseError('bad_duration', 'A snooze lasts at most 31 days: switch it Off instead.', {
        status: 422,
      })
    const at = clock.now()
    await store.write(() => {
      store.audit.add({
        ...nothing,
        at,
        author: name,
        action: ms ? 'snooze' : 'wake',
        target: `${kind} ${target}`,
      })
      store.snoozes.prune(at)
      if (ms === 0) store.snoozes.end(kind, target)
      else store.snoozes.set({ kind, target, until: at + ms, by: name, at })
    })
    this.#snoozes = store.snoozes.all()
    return this.#told()
  }

  #told(): HoldsView {
    const view = this.view()
    this.#deps.bus.publish('holds', view)
    return view
  }

  /** A move is held now, or is not any more. */
  changed(): void {
    const { held } = this.#told()
    if (held.length) this.#free()
  }

  /** What was about to be held when the pause ended is let go. */
  #free(): void {
    if (this.paused || !this.#deps.store.due.ofKind(HELD).some(({ payload }) => payload === null)) return
    this.#letGo('').catch(error =>
      this.#deps.log.error({ error: messageOf(error) }, 'a held move was not let go'),
    )
  }
}

function heldView({ runId, stepId, at, payload }: DueRow, { store }: EngineDeps): HoldsView['held'] {
  const step = stepId === null ? null : store.steps.get(stepId)
  const run = runId === null ? null : store.runs.get(runId)
  if (!step || !run || payload !== null) return []
  const since = iso(step.startedAt)
  return [
    {
      run: run.id,
      step: step.seq,
      workflow: workflowRef(run.workflowId, store.workflows.get(run.workflowId)),
      kind: step.kind,
      inputs: step.inputs,
      since,
      until: iso(at),
    },
  ]
}

function decidedBy({ said, by }: Said): string {
  if (said === 'expired') return 'its time was up'
  return said === 'unpaused' ? 'moves are not paused' : `${by} decided`
}
