import type { Clock } from '../core/index.ts'
import type {
  ApprovalView,
  HoldsView,
  NoticeView,
  RunSummary,
  RunView,
  StepView,
  WorkflowView,
} from '../engine/index.ts'
import type { Place } from './stream-place.ts'

/** One thing that is told, to those who may see it. */
export type Told =
  | { event: 'run'; data: RunSummary & RunView }
  | { event: 'step'; data: { run: number; step: StepView } }
  | { event: 'approval'; data: ApprovalView }
  | { event: 'workflow'; data: WorkflowView }
  | { event: 'notice'; data: NoticeView }
  | { event: 'holds'; data: HoldsView }
  | { event: 'keepalive'; data: object }
  /** Everything anew. */
  | { event: 'init'; data: null }

/** So much is known of what was told, and so much of it as JSON: a run is told with all of its steps. */
const MOST = 500
const MOST_CHARS = 2_000_000
/** So long after the last who listened left. */
const LINGERS_MS = 60_000

/** What the stream told lately, for whoever comes back after their line was cut. */
export class StreamMemory {
  /** Of this process. */
  readonly life = crypto.randomUUID().replaceAll('-', '').slice(0, 10)
  readonly #clock: Clock
  #told: { seq: number; told: Told; chars: number }[] = []
  #chars = 0
  #seq = 0
  /** Before this nothing is known. */
  #from = 0
  #listening = false
  #until = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Of the last that was told. */
  get seq(): number {
    return this.#seq
  }

  /** Whoever left may still come back. */
  get lingers(): boolean {
    return this.#clock.now() < this.#until
  }

  /** Somebody listens. */
  listened(): void {
    // While nobody did, nothing was kept.
    if (!this.#listening && !this.lingers) this.#forget()
    this.#listening = true
  }

  /** Nobody listens any more. */
  left(): void {
    this.#listening = false
    this.#until = this.#clock.now() + LINGERS_MS
  }

  /** Keeps what is told now; answers with it, numbered. */
  keep(told: readonly Told[]): { seq: number; told: Told }[] {
    const numbered = told.map(each => ({ seq: ++this.#seq, told: each }))
    // Everything anew: what was before is of no use to anybody.
    if (told.some(({ event }) => event === 'init')) this.#forget()
    else for (const each of numbered) this.#add(each)
    return numbered
  }

  #add(each: { seq: number; told: Told }): void {
    const chars = JSON.stringify(each.told).length
    this.#told.push({ ...each, chars })
    this.#chars += chars
    while (this.#told.length > MOST || this.#chars > MOST_CHARS) {
      const oldest = this.#told.shift()
      if (!oldest) return
      this.#chars -= oldest.chars
      this.#from = oldest.seq
    }
  }

  /** What followed a place; null: that is not known. */
  since({ life, seq }: Place): { seq: number; told: Told }[] | null {
    if (life !== this.life || seq < this.#from || seq > this.#seq) return null
    return this.#told.filter(each => each.seq > seq)
  }

  #forget(): void {
    this.#told = []
    this.#chars = 0
    // Whoever heard the last of before has missed what nobody kept.
    this.#from = ++this.#seq
  }
}
