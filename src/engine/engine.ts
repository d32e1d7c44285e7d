import { GatehouseError, type Identified, type IncomingEvent, type Leap } from '../core/index.ts'
import type { DueRow, RunFilter } from '../store/index.ts'
import { AlarmClock } from './alarm-clock.ts'
import type { EngineApi, NoticeFilter, Saved, SaveOptions, ScopeApi } from './api.ts'
import { Approvals } from './approvals.ts'
import { auditOf } from './audit.ts'
import { Calls } from './calls.ts'
import { CHAINED, Chained } from './chained.ts'
import { clockLeapt } from './clock-leap.ts'
import { Executor } from './execute.ts'
import { GuardedSite } from './guarded-site.ts'
import { Holds } from './holds.ts'
import { Intake } from './intake.ts'
import { Forgetting } from './keep/forget.ts'
import { Upkeep } from './keep/upkeep.ts'
import { Learning } from './learn/learning.ts'
import { listensFor } from './listens-for.ts'
import { noticesOf, publishNotice, publishOfRun } from './notices.ts'
import { type Outline, outlineOf, type TestHistory, testHistory } from './outline.ts'
import type { EngineDeps } from './ports.ts'
import { PRESS, pressOf } from './presses.ts'
import { EYES, LANGUAGE, type ProviderName, VISION } from './providers.ts'
import { repliesOf } from './replies.ts'
import { settleRestored } from './restored.ts'
import type { Run } from './run.ts'
import { Runs } from './runs.ts'
import { SCHEDULE, Schedules } from './schedules.ts'
import { scopeApi } from './scope.ts'
import { settle } from './settle.ts'
import { Sight } from './sight.ts'
import { waitingKind } from './steps/waiting-kinds.ts'
import { Switching } from './switching.ts'
import { TELL, Tells } from './tells.ts'
import type {
  Admission,
  ApprovalView,
  AuditView,
  ListensFor,
  NoticeView,
  RepliesView,
  RunSummary,
  RunView,
  Switched,
  WorkflowView,
} from './types.ts'
import { knownRun, runSummary, runView, workflowView } from './view.ts'
import { Watchers } from './watchers.ts'
import { type Loaded, Workflows } from './workflows.ts'

/** How long a stop waits for what is being done outside of the box, and a caller for a run to stop. */
const STOP_MS = 10_000

/** Admits events, runs workflows, and keeps every promise over a restart. */
export class Engine implements EngineApi {
  readonly learning: Learning
  readonly #deps: EngineDeps
  readonly #guarded: GuardedSite
  readonly #workflows: Workflows
  readonly #intake: Intake
  readonly #runs: Runs
  readonly #alarm: AlarmClock
  readonly #tells: Tells
  readonly upkeep: Upkeep
  readonly holds: Holds
  readonly forgetting: Forgetting
  readonly scope: ScopeApi
  readonly #sights: Record<ProviderName, Sight>
  readonly #schedules: Schedules
  readonly #approvals: Approvals
  readonly #watchers: Watchers
  readonly #chained: Chained
  readonly #calls: Calls
  readonly #switching: Switching
  #boxId = ''
  #open = false
  #idle = false

  constructor(given: EngineDeps) {
    this.#calls = new Calls(given, run => this.#runs.resume(run))
    this.#guarded = new GuardedSite(given.site, () => this.#workflows.all())
    const site = () => this.#guarded.get()
    const deps = { ...given, site, onShed: (what: string) => this.#intake.count(what), calling: this.#calls }
    const { bus } = deps
    this.#deps = deps
    this.#workflows = new Workflows(deps)
    this.scope = scopeApi(deps, this.#workflows)
    this.learning = new Learning(deps, this.#workflows, {
      onMarked: (run, loaded) => {
        bus.publish('run', runSummary(run, deps.store))
        if (loaded) this.#changed(loaded)
      },
      another: each => new Engine(each),
    })
    const hooks = { onChanged: (loaded: Loaded) => this.#rearm(loaded) }
    this.#sights = {
      eyes: new Sight(EYES, deps, this.#workflows, hooks),
      language: new Sight(LANGUAGE, deps, this.#workflows, hooks),
      vision: new Sight(VISION, deps, this.#workflows, hooks),
    }
    this.#chained = new Chained(deps, this.#workflows, event => this.submit(event))
    this.#alarm = new AlarmClock(deps.store, deps.clock, row => this.#ring(row))
    this.#watchers = new Watchers(deps.clock)
    this.#tells = new Tells(deps, {
      boxId: () => this.#boxId,
      onStep: (run, seq) => this.#toldLater(run, seq),
      onDue: () => this.#alarm.set(),
    })
    this.upkeep = new Upkeep(deps)
    this.holds = new Holds(deps, {
      onSaid: run => this.#runs.resume(run),
      onWorkflow: id => this.#changed(this.#workflows.known(id)),
    })
    this.forgetting = new Forgetting(deps, {
      stop: async (run, by) => {
        await this.stopRun(run, by)
      },
      gone: run => this.#runs.forget(run),
      idle: () => this.#idle,
    })
    const executor = new Executor(
      deps,
      { tells: this.#tells, holds: this.holds, chained: this.#chained },
      () => this.#boxId,
      {
        onCommitted: run => {
          this.#runs.committed(run)
        },
        onGoesOn: run => bus.publish('run', run.summary('running', null)),
        onStep: (run, seq) => bus.publish('step', { run: run.id, seq }),
        onDue: () => this.#alarm.set(),
        onNotice: (run, notice) => {
          publishOfRun(run, notice, deps)
          if (notice.promise) this.#chained.ring(notice.promise)
        },
        onLooked: (run, provider, down) => this.#sights[provider].looked(run, down),
      },
    )
    this.#runs = new Runs(deps, this.#workflows, executor, {
      onEnded: run => this.#ended(run),
      onWaits: (run, again) => {
        this.#alarm.set()
        if (!again) bus.publish('run', run.summary('waiting', null))
      },
      onGivenUp: (id, notices, over) => {
        for (const notice of notices) publishNotice(notice, deps)
        bus.publish('run', runSummary(knownRun(id, deps.store), deps.store))
        if (over) this.#over(id, over.key)
      },
    })
    this.#schedules = new Schedules(deps, this.#workflows, {
      begin: (event, take) => this.#intake.scheduled(event, take),
      onMissed: id => bus.publish('run', runSummary(knownRun(id, deps.store), deps.store)),
      onArmed: () => this.#alarm.set(),
    })
    const parts = { workflows: this.#workflows, learning: this.learning, guarded: this.#guarded }
    this.#switching = new Switching(deps, parts, {
      onArm: loaded => this.#schedules.arm(loaded),
      onFresh: async id => {
        for (const sight of Object.values(this.#sights)) await sight.forget(id)
      },
      onChanged: loaded => this.#changed(loaded),
      recheck: () => this.recheck(),
    })
    this.#approvals = new Approvals(deps, run => this.#runs.resume(run))
    this.#intake = new Intake(deps, {
      workflows: this.#workflows,
      holds: this.holds,
      upkeep: this.upkeep,
      runs: this.#runs,
      approvals: this.#approvals,
      schedules: this.#schedules,
    })
  }

  /**
   * Loads the workflows and takes up every run that had not ended. The store is open. `idle`: what is stored can be seen
   * and changed, but nothing runs.
   */
  async start({ idle = false } = {}): Promise<void> {
    this.#boxId = this.#deps.store.meta.boxId
    await settleRestored(this.#deps)
    await this.#workflows.start()
    this.holds.start()
    this.#idle = idle
    if (idle) return
    for (const sight of Object.values(this.#sights)) sight.start()
    await this.upkeep.start()
    await this.#calls.start()
    this.#open = true
    this.#runs.start()
    this.#intake.presses.start()
    this.#chained.start()
    this.#tells.start()
    await this.#schedules.start()
    this.#alarm.start()
  }

  /** No step begins any more; what is being done outside of the box is waited for. The rest is in rows. */
  async stop(): Promise<void> {
    this.#open = false
    this.forgetting.stop()
    this.#schedules.stop()
    for (const sight of Object.values(this.#sights)) sight.stop()
    this.#chained.stop()
    this.#alarm.stop()
    const parts = [this.#runs, this.#tells, this.#calls].map(part => part.stop(STOP_MS))
    await Promise.all([...parts, this.upkeep.stop()])
  }

  /** The site file changed: what stood in the way of a workflow may be gone, or new. */
  async recheck(): Promise<void> {
    await this.#workflows.recheckAll()
    for (const loaded of this.#workflows.all()) {
      await this.#rearm(loaded)
    }
  }

  clockLeapt(leap: Leap): Promise<void> {
    return clockLeapt(leap, this.#deps, () => this.#schedules.compare())
  }

  async submit(incoming: IncomingEvent): Promise<Admission[]> {
    this.#assertOpen()
    const { door } = this.#deps
    if (!door || !incoming.pictures.length) return this.#intake.submit(incoming)
    const event = await door(incoming)
    this.#assertOpen()
    return this.#intake.submit(event)
  }

  #assertOpen(): void {
    if (this.#open) return
    const message = this.#idle
      ? 'Gatehouse is in safe mode: nothing runs.'
      : 'Gatehouse is starting or stopping.'
    throw new GatehouseError('not_running', message, { status: 503 })
  }

  workflows(): WorkflowView[] {
    return [...this.#workflows.all()].map(loaded => this.#view(loaded))
  }

  workflow(idOrSlug: string): WorkflowView | null {
    return this.#viewOf(this.#workflows.find(idOrSlug))
  }

  listensFor(): ListensFor[] {
    return listensFor(this.#workflows)
  }

  workflowYaml(id: number): string | null {
    return this.#workflows.yamlOf(id)
  }

  outline(id: number): (Outline & { test: TestHistory }) | null {
    const { program, row } = this.#workflows.known(id)
    if (!program) return null
    const { store, site } = this.#deps
    return { ...outlineOf(program.workflow, site(), row.slug), test: testHistory(id, store) }
  }

  byHook(hookId: string): WorkflowView | null {
    return this.#viewOf(this.#workflows.byHook(hookId))
  }

  rollback(...args: Parameters<EngineApi['rollback']>): Promise<Saved> {
    return this.#switching.rollback(...args)
  }

  save(yaml: string, options: SaveOptions & { change?: string } = {}): Promise<Saved> {
    return this.#switching.save(yaml, options)
  }

  setState(...args: Parameters<EngineApi['setState']>): Promise<Switched> {
    return this.#switching.setState(...args)
  }

  remove(id: number, by?: string): Promise<void> {
    return this.#switching.remove(id, by)
  }

  runs(filter: RunFilter): RunSummary[] {
    return this.#deps.store.runs.list(filter).map(row => runSummary(row, this.#deps.store))
  }

  run(id: number): RunView | null {
    const row = this.#deps.store.runs.get(id)
    return row && runView(row, this.#deps.store)
  }

  replies(run: number, after = -1): RepliesView {
    return repliesOf(knownRun(run, this.#deps.store), after, this.#deps.store)
  }

  async settled(id: number, ms: number): Promise<RunView> {
    const { store } = this.#deps
    if (knownRun(id, store).endedAt === null) await this.#watchers.wait(id, ms)
    return runView(knownRun(id, store), store)
  }

  async stopRun(id: number, by?: string): Promise<RunView> {
    if (knownRun(id, this.#deps.store).endedAt !== null) {
      throw new GatehouseError('run_ended', `Run ${id} has ended already.`, { status: 409 })
    }
    await this.#runs.halt(id, by)
    return this.settled(id, STOP_MS)
  }

  settle(id: number, happened: boolean, by: string, step?: number): Promise<RunView> {
    return settle(this.#deps, id, happened, by, step).finally(() => this.#runs.forget(id))
  }

  approvals({ open = false }: { open?: boolean } = {}): ApprovalView[] {
    return this.#approvals.list(open)
  }

  answer(id: number, reply: string, by: Identified): Promise<ApprovalView> {
    return this.#approvals.answer(id, reply, by)
  }

  notices(filter: NoticeFilter): NoticeView[] {
    return noticesOf(filter, this.#deps.store)
  }

  audit(filter: { before?: number; limit: number }): AuditView[] {
    return auditOf(filter, this.#deps.store)
  }

  shed(): Record<string, number> {
    return this.#intake.shed()
  }

  #ring(row: DueRow): void {
    if (waitingKind(row.kind) && row.runId !== null) this.#runs.resume(row.runId)
    if (row.kind === TELL) this.#tells.ring(row)
    if (row.kind === SCHEDULE) this.#schedules.ring(row)
    if (row.kind === CHAINED) this.#chained.ring(row)
    const press = row.kind === PRESS ? pressOf(row) : null
    if (press) this.#intake.presses.turn(press.key)
  }

  /** A message got through, or was lost, after its run had gone on: the list of runs says so. */
  #toldLater(run: number, seq: number): void {
    const { bus, store } = this.#deps
    this.#runs.forget(run)
    bus.publish('step', { run, seq })
    const row = store.runs.get(run)
    if (row && row.endedAt !== null) bus.publish('run', runSummary(row, store))
  }

  #ended(run: Run): void {
    this.#deps.bus.publish('run', run.summary(run.verdict, this.#deps.clock.now()))
    this.#over(run.id, run.key)
  }

  #over(id: number, key: string | null): void {
    this.#watchers.wake(id)
    if (key !== null) this.#intake.presses.turn(key)
    if (this.holds.paused) this.holds.changed()
  }

  async #rearm(loaded: Loaded): Promise<void> {
    await this.#schedules.arm(loaded)
    this.#changed(loaded)
  }

  #viewOf(loaded: Loaded | undefined): WorkflowView | null {
    return loaded ? this.#view(loaded) : null
  }

  #view(loaded: Loaded): WorkflowView {
    return workflowView(loaded, this.#deps.store, {
      nextRun: this.#schedules.nextOf(loaded.row.id),
      snoozed: this.holds.workflowUntil(loaded.row.id),
    })
  }

  #changed(loaded: Loaded): WorkflowView {
    const view = this.#view(loaded)
    this.#deps.bus.publish('workflow', view)
    this.#approvals.workflowChanged(loaded.row.id)
    return view
  }
}
