/** What of the box somebody gets to see: all of it, or what is about the cameras that they may see. */
import { GatehouseError, type JsonValue } from '../core/index.ts'
import type {
  ApprovalView,
  CasesOutcome,
  EngineApi,
  HoldsView,
  NoticeView,
  Reach,
  RunSummary,
  TriedEvent,
  WorkflowView,
} from '../engine/index.ts'
import type { Principal } from './access/index.ts'

type Seeing = Pick<Principal, 'cameras' | 'may'>

export class Sight {
  readonly #who: Seeing
  readonly #scope: EngineApi['scope']

  constructor(who: Seeing, { scope }: Pick<EngineApi, 'scope'>) {
    this.#who = who
    this.#scope = scope
  }

  /** Nothing is hidden: what is made for one of them may be sent to all. */
  get isFull(): boolean {
    return this.isWhole && this.#who.may.has('workflows.manage')
  }

  /** All cameras. */
  get isWhole(): boolean {
    return this.#who.cameras === null
  }

  camera(id: string): boolean {
    return this.#scope.camera(this.#who.cameras, id)
  }

  run(id: number): boolean {
    return this.#scope.run(this.#who.cameras, id)
  }

  question(id: number): boolean {
    return this.#scope.question(this.#who.cameras, id)
  }

  media(id: number): boolean {
    return this.#scope.media(this.#who.cameras, id)
  }

  /** Null where it is not to be seen; whoever may not change it does not learn the secret of its webhook either. */
  workflow<V extends WorkflowView>(view: V): V | null {
    if (this.isFull) return view
    if (!this.#scope.workflow(this.#who.cameras, view.id)) return null
    const { hook, last_run: last } = view
    return {
      ...view,
      hook: this.#who.may.has('workflows.manage') ? hook : null,
      last_run: last && this.run(last.id) ? last : null,
    }
  }

  workflows(views: readonly WorkflowView[]): WorkflowView[] {
    return views.flatMap(view => this.workflow(view) ?? [])
  }

  runs(views: readonly RunSummary[]): RunSummary[] {
    return this.isWhole ? [...views] : views.filter(({ id }) => this.run(id))
  }

  approvals(views: readonly ApprovalView[]): ApprovalView[] {
    return this.isWhole ? [...views] : views.filter(({ run }) => this.run(run))
  }

  /** What the box says of itself is for those who see all of it. */
  notice({ run, workflow, camera_id: camera }: NoticeView): boolean {
    if (this.isWhole) return true
    if (run !== null) return this.run(run)
    if (workflow !== null) return this.#scope.workflow(this.#who.cameras, workflow.id)
    return camera !== null && this.camera(camera)
  }

  holds(view: HoldsView): HoldsView {
    if (this.isWhole) return view
    const snoozes = view.snoozes.filter(({ kind, target }) =>
      kind === 'camera' ? this.camera(target) : this.#scope.workflow(this.#who.cameras, Number(target)),
    )
    return { ...view, held: view.held.filter(({ run }) => this.run(run)), snoozes }
  }

  cases(outcome: CasesOutcome): CasesOutcome {
    const seen = ({ event }: TriedEvent) => this.isWhole || this.run(event.run)
    const own = outcome.own && {
      ...outcome.own,
      tried: outcome.own.tried.filter(({ camera }) => camera === null || this.camera(camera)),
    }
    return { ...outcome, tried: outcome.tried.filter(seen), ...(own && { own }) }
  }

  /** How the box is: of its details only the cameras, where not all of them are to be seen. */
  health(details: Record<string, JsonValue>): Record<string, JsonValue> {
    if (this.isWhole) return details
    const { cameras } = details
    const all = Array.isArray(cameras) ? cameras : []
    return {
      cameras: all.filter(
        each =>
          each !== null && typeof each === 'object' && !Array.isArray(each) && this.camera(String(each.id)),
      ),
    }
  }

  /** Why a workflow is not theirs to change, in half a sentence; null: it is. */
  beyond({ id }: Pick<WorkflowView, 'id'>): string | null {
    return this.#scope.beyond(this.#who.cameras, id)
  }

  /** Throws `out_of_scope` (403) where a workflow reaches beyond what they may see: then it is not theirs to change. */
  demand(workflow: Pick<WorkflowView, 'id' | 'name'>): void {
    const why = this.beyond(workflow)
    if (why !== null)
      throw outOfScope(`${workflow.name} reaches beyond the cameras that you may see: ${why}.`)
  }

  /** Throws `out_of_scope` (403). */
  demandCamera(id: string | null): void {
    if (id !== null && !this.camera(id)) throw outOfScope('That is not a camera that you may see.')
  }

  /** Throws `out_of_scope` (403) for what concerns every camera. */
  demandWhole(): void {
    if (!this.isWhole) throw outOfScope('This concerns all cameras: ask somebody who may see them all.')
  }
}

/** How far whoever asks reaches in what they save or switch. */
export const reachOf = ({ user, cameras, may }: Principal): Reach => ({
  ...{ user, cameras },
  admin: may.has('workflows.arm'),
})

const outOfScope = (what: string) => new GatehouseError('out_of_scope', what, { status: 403 })
