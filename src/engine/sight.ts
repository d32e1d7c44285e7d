import type { Decision, DecisionSpec } from '../ai/index.ts'
import { messageOf } from '../core/index.ts'
import type { EngineDeps } from './ports.ts'
import type { Run } from './run.ts'
import type { Loaded, Workflows } from './workflows.ts'

/** Eyes that stay shut for this long stop the workflows that need them. */
const AWAY_MS = 5 * 60_000
/** How long after each vain try the next one follows; the last one holds on. */
const PROBES_MS = [15_000, 30_000, 60_000, 2 * 60_000, 5 * 60_000]
const PROBE_TIMEOUT_MS = 60_000

/** A grey square: whether anything can look at all needs no more. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAAAAACPAi4CAAAAKUlEQVR42u3MQREAAAwCIKMb3RD77SAA6VEEAoFAIBAIBAKBQCAQfA8G320AeXC6efoAAAAASUVORK5CYII=',
  'base64',
)
const SPEC: DecisionSpec = {
  options: ['seen'],
  prompt: '',
  fields: { somebody: { measure: 'present', of: 'person' }, text: { measure: 'text' } },
  floor: null,
  rules: [{ then: 'seen' }],
  maxAgeMs: PROBE_TIMEOUT_MS,
}

export interface SightHooks {
  /** A workflow stands still from now on, or goes on. */
  onChanged(loaded: Loaded): Promise<void>
}

/**
 * Whether there is anybody to look at pictures. A workflow whose Looks go unanswered for that reason stands still;
 * from then on it is tried in the background, and it goes on by itself as what it was.
 */
export class Sight {
  readonly #deps: EngineDeps
  readonly #workflows: Workflows
  readonly #hooks: SightHooks
  readonly #shutSince = new Map<number, number>()
  #cancel: (() => void) | null = null
  #tries = 0
  #abort = new AbortController()

  constructor(deps: EngineDeps, workflows: Workflows, hooks: SightHooks) {
    this.#deps = deps
    this.#workflows = workflows
    this.#hooks = hooks
  }

  start(): void {
    this.#abort = new AbortController()
    if (this.#waiting().length) this.#schedule()
  }

  stop(): void {
    this.#abort.abort()
    this.#cancel?.()
    this.#cancel = null
  }

  /** Takes in one Look (`down`: why nobody looked). Answers why the workflow stands still from now on, or null. */
  async looked({ loaded }: Run, down: string | null): Promise<string | null> {
    const { id, attention } = loaded.row
    if (down === null) {
      this.#shutSince.delete(id)
      return null
    }
    const now = this.#deps.clock.now()
    const since = this.#shutSince.get(id) ?? now
    this.#shutSince.set(id, since)
    if (now - since < AWAY_MS || attention !== null) return null
    const minutes = Math.round((now - since) / 60_000)
    const why = `Nothing could look at its pictures for ${minutes} minutes: ${down}. It goes on by itself when that is mended.`
    await this.#workflows.attend(loaded, why, 'eyes')
    await this.#hooks.onChanged(loaded)
    this.#schedule()
    return why
  }

  /** The owner set the workflow going again. */
  forget(workflowId: number): void {
    this.#shutSince.delete(workflowId)
  }

  #waiting(): Loaded[] {
    return [...this.#workflows.all()].filter(({ row }) => row.attentionOf === 'eyes')
  }

  #schedule(): void {
    if (this.#cancel || this.#abort.signal.aborted) return
    const ms = PROBES_MS[Math.min(this.#tries, PROBES_MS.length - 1)] ?? 0
    this.#cancel = this.#deps.clock.after(ms, () => {
      this.#cancel = null
      this.#probe().catch(error =>
        this.#deps.log.error({ error: messageOf(error) }, 'it could not be tried whether anything looks'),
      )
    })
  }

  async #probe(): Promise<void> {
    this.#tries++
    const decision = await this.#look()
    if (this.#abort.signal.aborted) return
    if (decision !== null && decision.unsureReason !== 'vision_down') {
      this.#tries = 0
      for (const loaded of this.#waiting()) {
        this.forget(loaded.row.id)
        await this.#workflows.recheck(loaded)
        await this.#hooks.onChanged(loaded)
      }
    }
    if (this.#waiting().length) this.#schedule()
  }

  async #look(): Promise<Decision | null> {
    const picture = {
      bytes: new Uint8Array(PICTURE),
      takenAt: this.#deps.clock.now(),
      source: 'a test picture',
    }
    const input = { pictures: [picture], values: {}, facts: '', text: null }
    const { signal } = this.#abort
    const now = () => this.#deps.clock.now()
    return this.#deps.look(SPEC, input, { timeoutMs: PROBE_TIMEOUT_MS, signal, now }).catch(() => null)
  }
}
