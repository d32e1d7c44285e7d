import { GatehouseError } from '../core/index.ts'
import type { Saved, SaveOptions } from './api.ts'
import type { GuardedSite } from './guarded-site.ts'
import { CasesFlipped, flips } from './learn/flipped.ts'
import type { Learning } from './learn/learning.ts'
import type { EngineDeps } from './ports.ts'
import { adminNeeded, type Reach, weighty } from './reach.ts'
import type { Switched, WorkflowView } from './types.ts'
import type { Loaded, Workflows } from './workflows.ts'

export interface SwitchingParts {
  workflows: Workflows
  learning: Learning
  guarded: GuardedSite
}

export interface SwitchingHooks {
  /** Its schedule may be another. */
  onArm(loaded: Loaded): Promise<void>
  /** It begins anew: what was counted against it counts no more. */
  onFresh(id: number): Promise<void>
  /** Tells everybody; answers with how it stands. */
  onChanged(loaded: Loaded): WorkflowView
  /** What stands in the way of workflows may have changed. */
  recheck(): Promise<void>
}

/** What becomes of a workflow by hand: saved, switched, rolled back, taken away. Every way to On leads through here. */
export class Switching {
  readonly #deps: EngineDeps
  readonly #parts: SwitchingParts
  readonly #hooks: SwitchingHooks

  constructor(deps: EngineDeps, parts: SwitchingParts, hooks: SwitchingHooks) {
    this.#deps = deps
    this.#parts = parts
    this.#hooks = hooks
  }

  async save(yaml: string, options: SaveOptions & { change?: string } = {}): Promise<Saved> {
    const { workflows, learning } = this.#parts
    const { id } = options
    // What stays On with this file has passed its cases, as what goes On has.
    const held = id === undefined || !workflows.staysOn(id, yaml) || (await learning.holds(id, yaml))
    const { loaded, problems } = await workflows.save(yaml, { ...options, held })
    if (loaded) await this.#hooks.onArm(loaded)
    await this.#guardAnew()
    return loaded ? { ok: true, workflow: this.#hooks.onChanged(loaded), problems } : { ok: false, problems }
  }

  async rollback(
    id: number,
    version: number,
    by: string,
    options: Pick<SaveOptions, 'reach' | 'over'> = {},
  ): Promise<Saved> {
    const yaml = this.#parts.learning.yamlOf(id, version)
    return this.save(yaml, { ...options, id, by, change: `back to version ${version}` })
  }

  async setState(
    id: number,
    state: 'off' | 'test' | 'on',
    by?: string,
    { confirmed = false, reach }: { confirmed?: boolean; reach?: Reach } = {},
  ): Promise<Switched> {
    const { workflows, learning } = this.#parts
    const loaded = workflows.known(id)
    const { row } = loaded
    const weight = state === 'on' && reach && !reach.admin ? this.#weight(loaded) : null
    if (weight !== null) throw adminNeeded(row.name, weight)
    if (state !== 'on' || row.state === 'on' || confirmed || !learning.hasCases(id))
      return this.#switched(await workflows.setState(id, state, by))
    const { versionId } = row
    const cases = await learning.cases(id)
    if (flips(cases)) throw new CasesFlipped(cases)
    if (workflows.known(id).row.versionId !== versionId) {
      const message = 'It was saved while its cases were run: switch it On again.'
      throw new GatehouseError('changed_meanwhile', message, { status: 409 })
    }
    return { ...(await this.#switched(await workflows.setState(id, state, by))), cases }
  }

  async remove(id: number, by?: string): Promise<void> {
    await this.#switched(await this.#parts.workflows.remove(id, by))
  }

  #weight({ row, program }: Loaded): string | null {
    return program && weighty(program.workflow, this.#deps.site(), row.slug)
  }

  async #switched(loaded: Loaded): Promise<WorkflowView> {
    await this.#hooks.onFresh(loaded.row.id)
    await this.#hooks.onArm(loaded)
    await this.#guardAnew()
    return this.#hooks.onChanged(loaded)
  }

  /** What one workflow moves by may be what another one turns away. */
  async #guardAnew(): Promise<void> {
    if (this.#parts.guarded.refresh()) await this.#hooks.recheck()
  }
}
