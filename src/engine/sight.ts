import { messageOf } from '../core/index.ts'
import type { EngineDeps } from './ports.ts'
import { PROBE_TIMEOUT_MS, type Provider } from './providers.ts'
import type { Run } from './run.ts'
import type { Loaded, Workflows } from './workflows.ts'

/** Whoever stays away for this long stops the workflows that need them. */
const AWAY_MS = 5 * 60_000
/** How long after each vain try the next one follows; the last one holds on. */
const PROBES_MS = [15_000, 30_000, 60_000, 2 * 60_000, 5 * 60_000]
/** What watching over a provider tells the engine. */
export interface SightHooks {
  /** A workflow stands still from now on, or goes on. */
  onChanged(loaded: Loaded): Promise<void>
}

/**
 * Whether somebody is there whom Looks need. A workflow whose Looks go unanswered for want of them stands still; from
 * then on it is tried in the background, and it goes on by itself as what it was. Since when they are missed outlives
 * the process.
 */
export class Sight {
  readonly #deps: EngineDeps
  readonly #workflows: Workflows
  readonly #hooks: SightHooks
  readonly #provider: Provider
  /** By workflow: since when nobody looked for it (epoch ms). */
  readonly #shutSince = new Map<number, number>()
  #cancel: (() => void) | null = null
  #tries = 0
  #abort = new AbortController()

  constructor(provider: Provider, deps: EngineDeps, workflows: Workflows, hooks: SightHooks) {
    this.#provider = provider
    this.#deps = deps
    this.#workflows = workflows
    this.#hooks = hooks
  }

  /** Before any run is taken up. */
  start(): void {
    this.#abort = new AbortController()
    this.#shutSince.clear()
    for (const [id, since] of this.#kept()) this.#shutSince.set(id, since)
    if (this.#waiting().length) this.#schedule()
  }

  stop(): void {
    this.#abort.abort()
    this.#cancel?.()
    this.#cancel = null
  }

  /** Takes in one Look (`down`: why nobody looked). Answers why the workflow stands still from now on, or null. */
  async looked({ loaded, writes }: Run, down: string | null): Promise<string | null> {
    const { id, attention } = loaded.row
    if (down === null) {
      if (this.#shutSince.delete(id)) writes.push(() => this.#keep())
      return null
    }
    const now = this.#deps.clock.now()
    const since = this.#shutSince.get(id) ?? now
    if (!this.#shutSince.has(id)) {
      this.#shutSince.set(id, since)
      writes.push(() => this.#keep())
    }
    if (now - since < AWAY_MS || attention !== null) return null
    const minutes = Math.round((now - since) / 60_000)
    const why = `${this.#provider.missed} for ${minutes} minutes: ${down}. It goes on by itself when that is mended.`
    await this.#workflows.attend(loaded, why, this.#provider.name)
    await this.#hooks.onChanged(loaded)
    this.#schedule()
    return why
  }

  /** The owner set the workflow going again. */
  async forget(workflowId: number): Promise<void> {
    if (this.#shutSince.delete(workflowId)) await this.#deps.store.write(() => this.#keep())
  }

  /** Inside of a commit. */
  #keep(): void {
    this.#deps.store.meta.set(this.#key, JSON.stringify([...this.#shutSince]))
  }

  #kept(): [number, number][] {
    try {
      return JSON.parse(this.#deps.store.meta.get(this.#key) ?? '[]')
    } catch {
      return []
    }
  }

  get #key(): string {
    return `missed.${this.#provider.name}`
  }

  #waiting(): Loaded[] {
    return [...this.#workflows.all()].filter(({ row }) => row.attentionOf === this.#provider.name)
  }

  #schedule(): void {
    if (this.#cancel || this.#abort.signal.aborted) return
    const ms = PROBES_MS[Math.min(this.#tries, PROBES_MS.length - 1)] ?? 0
    this.#cancel = this.#deps.clock.after(ms, () => {
      this.#cancel = null
      this.#probe().catch(error =>
        this.#deps.log.error({ error: messageOf(error) }, 'it could not be tried whether anybody looks'),
      )
    })
  }

  async #probe(): Promise<void> {
    this.#tries++
    const there = await this.#isThere()
    if (this.#abort.signal.aborted) return
    if (there) {
      this.#tries = 0
      for (const loaded of this.#waiting()) {
        await this.forget(loaded.row.id)
        await this.#workflows.recheck(loaded)
        await this.#hooks.onChanged(loaded)
      }
    }
    if (this.#waiting().length) this.#schedule()
  }

  async #isThere(): Promise<boolean> {
    const { spec, input, reason, named } = this.#provider
    const { look, clock } = this.#deps
    // Nobody is asked any more: then nobody is missed.
    if (!named(this.#deps)) return true
    const now = () => clock.now()
    const { signal } = this.#abort
    const decision = await look(spec, input(now()), { timeoutMs: PROBE_TIMEOUT_MS, signal, now }).catch(
      () => null,
    )
    return decision !== null && !reason.includes(decision.unsureReason)
  }
}
