import type { EngineApi, RunSummary } from '../../engine/index.ts'
import type { JsonObject } from '../../store/index.ts'

/** Runs among which the last decision is looked for when nothing is known yet. */
const LOOK_BACK = 20

/** What a run decided. */
export interface Decided {
  run: number
  workflowId: number
  workflow: string
  camera: string | null
  decision: string
  reason: string | null
  confidence: number | null
  fields: JsonObject
  /** Media id, or null. */
  picture: number | null
  at: string
}

/** The last decision of each workflow, of runs that were On: in Test nothing leaves the box. */
export class Decisions {
  readonly #engine: () => Pick<EngineApi, 'workflows' | 'runs' | 'run'>
  readonly #last = new Map<number, Decided>()
  /** Workflow → the run whose decision is to be read. */
  readonly #fresh = new Map<number, RunSummary>()

  constructor(engine: () => Pick<EngineApi, 'workflows' | 'runs' | 'run'>) {
    this.#engine = engine
  }

  /** What was decided before anybody looked. */
  start(): void {
    this.#last.clear()
    this.#fresh.clear()
    for (const { id } of this.#engine().workflows())
      for (const run of this.#engine().runs({ workflowId: id, limit: LOOK_BACK }).reverse()) this.take(run)
  }

  /** A run looks different from before. */
  take(run: RunSummary): void {
    const { id } = run.workflow
    const known = Math.max(this.#last.get(id)?.run ?? 0, this.#fresh.get(id)?.id ?? 0)
    if (run.state === 'on' && run.decision !== null && run.id >= known) this.#fresh.set(id, run)
  }

  of(workflowId: number): Decided | null {
    const fresh = this.#fresh.get(workflowId)
    if (fresh) {
      this.#fresh.delete(workflowId)
      this.#last.set(workflowId, this.#read(fresh))
    }
    return this.#last.get(workflowId) ?? null
  }

  /** The last one of all that has a picture. */
  get pictured(): Decided | null {
    for (const id of [...this.#fresh.keys()]) this.of(id)
    let last: Decided | null = null
    for (const each of this.#last.values())
      if (each.picture !== null && each.run > (last?.run ?? 0)) last = each
    return last
  }

  forget(workflowId: number): void {
    this.#last.delete(workflowId)
    this.#fresh.delete(workflowId)
  }

  #read({ id, workflow, camera, decision, reason, picture, started_at, ended_at }: RunSummary): Decided {
    const judged = this.#engine()
      .run(id)
      ?.steps.findLast(step => step.kind === 'ai' && step.outcome !== null)
    return {
      ...{ run: id, workflowId: workflow.id, workflow: workflow.name, camera, picture },
      decision: decision ?? '',
      reason: judged?.reason ?? reason,
      confidence: judged?.confidence ?? null,
      fields: judged?.fields ?? {},
      at: ended_at ?? started_at,
    }
  }
}
