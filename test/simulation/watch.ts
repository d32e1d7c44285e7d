/** The promises, looked after from outside of the box: by its rows and by what arrived in the world. */
import type { Workflow } from '../../src/contract/index.ts'
import { parseDuration } from '../../src/contract/index.ts'
import type { IntentRow, RunRow, StepRow, Store } from '../../src/store/index.ts'
import type { Call } from './life.ts'
import { differences } from './reference.ts'

const OVER = new Set(['done', 'failed', 'unknown', 'would_have'])
const STEPS_PER_RUN = 65_536
/** Destinations that move. */
const MOVING = new Set(['barrier', 'relay', 'open', 'lock.unlock'])

export class Watch {
  readonly faults: string[] = []
  readonly workflows = new Map<number, Workflow>()
  /** Runs that somebody was told of. */
  readonly acknowledged = new Set<number>()
  runs = 0
  unknown = 0
  moves = 0
  settlements = 0
  releases = 0
  /** Moves are paused, as far as somebody was told or has asked for it. */
  paused = false
  /** Runs whose held move somebody wanted made. */
  readonly released = new Set<number>()
  /** Runs of which somebody was told that they are stopped → the number of their last step then. */
  readonly stopped = new Map<number, number>()
  readonly #snoozes: { workflow: number; from: number; until: number }[] = []
  /** Steps that are over, as they were when that was first seen. */
  readonly #over = new Map<number, string>()
  readonly #ended = new Map<number, string>()
  readonly #open = new Set<number>()
  readonly #byEvent = new Map<string, number>()
  /** Arrivals by delivery id. */
  readonly #arrived = new Map<string, { times: number; said: string }>()
  /** Ids of calls to people. */
  readonly #called = new Set<string>()
  /** Moves that were asked of the world, by step. */
  readonly #moved = new Map<number, number>()

  /** The box asks something of the world. */
  asked(call: Call, store: Store): void {
    if (call.kind === 'look' || call.kind === 'chat') return
    const open = intended(store)
    if (call.kind === 'mode') {
      const intent = open.find(
        ({ kind, params }) => kind === 'site_mode' && (params as { to: string }).to === call.to,
      )
      if (!intent) this.#fault('the mode is set without an intent')
      else this.#notPaused(intent.runId, 'the mode is set')
      return
    }
    const [run = 0, seq = 0] = call.id.split('-').slice(-2).map(Number)
    const stepId = run * STEPS_PER_RUN + seq
    const step = store.steps.get(stepId)
    if (call.kind === 'call') {
      if (this.#called.has(call.id)) this.#fault(`${call.id} is called a second time`)
      this.#called.add(call.id)
      if (step?.status !== 'waiting') this.#fault(`${call.id} is called although its step is ${step?.status}`)
      if (store.runs.get(run)?.state !== 'on') this.#fault(`${call.id} is called in Test`)
      return
    }
    if (!step) {
      this.#fault(`${call.id} is sent and no row says so`)
      return
    }
    if (!MOVING.has(call.to)) {
      const again = store.due.all().some(due => due.stepId === stepId)
      if (step.status !== 'running' && !again)
        this.#fault(`${call.id} is sent although its step is ${step.status}`)
      return
    }
    const row = store.runs.get(run)
    if (step.status !== 'running') this.#fault(`${call.id} moves although its step is ${step.status}`)
    if (!open.some(intent => intent.stepId === stepId)) this.#fault(`${call.id} moves without an intent`)
    if (row?.state !== 'on') this.#fault(`${call.id} moves in ${row?.state}`)
    this.#notPaused(run, `${call.id} moves`)
    // What a person has answered counts whatever led to the question.
    if (!/\["Let in"\]|\.Refuse/.test(step.path)) {
      if (row?.taint.includes('*')) this.#fault(`${call.id} moves in a run with AI behind it`)
      const { confidence } = (row?.event.payload ?? {}) as { confidence?: number }
      if (confidence !== undefined && confidence < 0.9)
        this.#fault(`${call.id} moves for a plate that is not sure`)
    }
    const times = (this.#moved.get(stepId) ?? 0) + 1
    this.#moved.set(stepId, times)
    if (times > 1) this.#fault(`${call.id} moves a second time`)
  }

  /** Something reached the world. */
  arrived({ kind, to, id, json }: Call): void {
    if (kind !== 'send') return
    const said = JSON.stringify([to, json])
    const before = this.#arrived.get(id)
    if (before && before.said !== said) this.#fault(`${id} says something else than before`)
    const times = (before?.times ?? 0) + 1
    this.#arrived.set(id, { times, said })
    if (!MOVING.has(to)) return
    this.moves++
    if (times > 1) this.#fault(`${id} arrived twice`)
  }

  /** After a crash: what was acknowledged has to be there, and what had ended has to be as it was. */
  reborn(store: Store, paused: boolean): void {
    this.paused = paused
    for (const id of this.acknowledged)
      if (!store.runs.get(id)) this.#fault(`run ${id} was acknowledged and is lost`)
    for (const [id, before] of this.#ended) {
      const { seenAgain: _, ...run } = store.runs.get(id) ?? { seenAgain: 0 }
      if (JSON.stringify(run) === before) continue
      // Somebody may have settled it who never heard so.
      if (JSON.parse(before).status === 'unknown') this.#look(id)
      else this.#fault(`run ${id} changed after its end`)
    }
  }

  /** Calls to people. */
  get calls(): number {
    return this.#called.size
  }

  /** Somebody said of an unknown move of the run whether it happened: what the run comes to is looked at again. */
  settled(id: number): void {
    this.settlements++
    if (this.#ended.has(id)) this.#look(id)
  }

  /** From then until then nothing but a known person's press starts the workflow; an earlier word is replaced. */
  snoozed(workflow: number, from: number, until: number): void {
    for (const each of this.#snoozes) if (each.workflow === workflow) each.until = Math.min(each.until, from)
    this.#snoozes.push({ workflow, from, until })
  }

  #look(id: number): void {
    this.#ended.delete(id)
    this.#open.add(id)
    this.runs--
  }

  #notPaused(run: number, what: string): void {
    if (this.paused && !this.released.has(run)) this.#fault(`${what} although moves are paused`)
  }

  /** Looks at every run that is going on, and once at every run that has ended. */
  look(store: Store, now: number): void {
    const keys = new Set<string>()
    const due = new Set(store.due.all().map(({ stepId }) => stepId))
    const open = store.runs.unfinished()
    for (const run of open) {
      this.#open.add(run.id)
      this.#oneAtATime(run, keys)
      this.#steps(run, store.steps.ofRun(run.id), due)
    }
    for (const { id } of store.runs.list({ limit: 20 })) if (!this.#ended.has(id)) this.#open.add(id)
    for (const id of this.#open) {
      const run = store.runs.get(id)
      if (!run) this.#fault(`run ${id} is gone`)
      else if (run.endedAt !== null) {
        const steps = store.steps.ofRun(id)
        this.#steps(run, steps, due)
        this.#end(run, steps, now)
      }
    }
  }

  /** Whether anything is still to be done; schedules go on for ever. */
  open(store: Store): boolean {
    return store.runs.unfinished().length > 0 || store.due.all().some(({ kind }) => kind !== 'schedule')
  }

  /** At the end nothing may be left open. */
  end(store: Store): void {
    for (const { stepId } of intended(store)) {
      if (store.steps.get(stepId)?.status !== 'unknown') this.#fault(`the move of step ${stepId} stayed open`)
    }
    this.#limits(store)
  }

  #steps(run: RunRow, steps: readonly StepRow[], due: ReadonlySet<number | null>): void {
    const paths = new Set<string>()
    for (const step of steps) {
      const place = `${step.path} ${step.item ?? ''}`
      if (paths.has(place)) this.#fault(`run ${run.id} did ${place} twice`)
      paths.add(place)
      const { stopped } = (step.result ?? {}) as { stopped?: boolean }
      if (step.seq > (this.stopped.get(run.id) ?? step.seq) && step.path.startsWith('then') && !stopped)
        this.#fault(`${step.path} of run ${run.id} began although it was stopped`)
      if (!OVER.has(step.status)) continue
      if (due.has(step.id)) continue
      const now = JSON.stringify(step)
      const before = this.#over.get(step.id)
      if (before !== undefined && before !== now && !isSettled(JSON.parse(before), step))
        this.#fault(`${step.path} of run ${run.id} changed after its end`)
      this.#over.set(step.id, now)
    }
  }

  #oneAtATime({ workflowId, cameraId, values }: RunRow, keys: Set<string>): void {
    const { one_at_a_time: what } = this.workflows.get(workflowId)?.limits ?? {}
    const key = `${workflowId} ${what === 'plate' ? String(values.plate).toLowerCase() : cameraId}`
    if (keys.has(key)) this.#fault(`two runs at once for ${key}`)
    keys.add(key)
  }

  #end(run: RunRow, steps: readonly StepRow[], now: number): void {
    this.#open.delete(run.id)
    const { seenAgain: _, ...image } = run
    this.#ended.set(run.id, JSON.stringify(image))
    const eventKey = `${run.workflowId} ${String(run.event.id)}`
    const other = this.#byEvent.get(eventKey)
    if (other !== undefined && other !== run.id) this.#fault(`runs ${other} and ${run.id} are of one event`)
    this.#byEvent.set(eventKey, run.id)
    this.runs++
    if (run.status === 'unknown') this.unknown++
    if (Number(run.endedAt) > now) this.#fault(`run ${run.id} ended in the future`)
    const workflow = this.workflows.get(run.workflowId)
    if (!workflow) {
      this.#fault(`run ${run.id} is of no workflow`)
      return
    }
    // A time that was missed is kept as a run without steps.
    if (run.triggerKind === 'schedule' && run.status === 'failed' && !steps.length) return
    const press = run.triggerKind === 'button' && run.event.by !== null
    for (const { workflow, from, until } of press ? [] : this.#snoozes)
      if (workflow === run.workflowId && run.startedAt > from && run.startedAt < until)
        this.#fault(`run ${run.id} began although its workflow was snoozed`)
    for (const difference of differences(workflow, run, steps)) this.#fault(`run ${run.id}: ${difference}`)
  }

  /** Counted over the whole story: what was let in kept the limits. */
  #limits(store: Store): void {
    for (const [id, { limits, when }] of this.workflows) {
      if (when.kind === 'schedule' || when.kind === 'button') continue
      const starts = store.runs.startsSince(id, 0)
      const cooldown = parseDuration(limits.cooldown ?? '1m') ?? 0
      const last = new Map<string, number>()
      for (const [i, { at, cameraId }] of starts.entries()) {
        const before = last.get(cameraId ?? '')
        if (before !== undefined && at - before < cooldown)
          this.#fault(`workflow ${id} ran again after ${at - before} ms`)
        last.set(cameraId ?? '', at)
        const hour = starts.slice(0, i + 1).filter(each => each.at > at - 3_600_000).length
        if (hour > (limits.per_hour ?? 30)) this.#fault(`workflow ${id} ran ${hour} times in an hour`)
      }
    }
  }

  #fault(what: string): void {
    this.faults.push(what)
  }
}

/** Moves that have begun and of which nothing has come yet. */
function intended({ runs, intents }: Store): IntentRow[] {
  return runs
    .unfinished()
    .flatMap(({ id }) => intents.ofRun(id))
    .filter(({ endedAt }) => endedAt === null)
}

/** Of a move that nobody knew of somebody said whether it happened: that is its last change. */
function isSettled(before: StepRow, now: StepRow): boolean {
  const { settled } = (now.result ?? {}) as { settled?: { happened: boolean } }
  return (
    before.status === 'unknown' &&
    settled !== undefined &&
    now.status === (settled.happened ? 'done' : 'failed')
  )
}
