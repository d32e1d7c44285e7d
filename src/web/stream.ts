/**
 * The live stream (server-sent events): `init`, then `run`, `step`, `approval`, `workflow`, `notice` and `holds` as they
 * come, `keepalive` every 15 s. What changes faster than ten times a second is sent once, as it last was.
 */
import type {
  ApprovalView,
  HoldsView,
  NoticeView,
  RunSummary,
  RunView,
  StepView,
  WorkflowView,
} from '../engine/index.ts'
import type { Principal } from './access/index.ts'
import { runsSeen } from './find.ts'
import type { WebDeps } from './ports.ts'
import { problem } from './problem.ts'
import { Sight } from './sight.ts'

const MAX_STREAMS = 32
/** What one slow reader may leave unread; then it is cut off, and starts anew when it comes back. */
const MAX_UNREAD = 1024 * 1024
/** More changed runs than this between two sendings: everybody starts anew instead. */
const MAX_CHANGED = 200
const GATHER_MS = 100
const KEEPALIVE_MS = 15_000
const INIT_RUNS = 50
const INIT_NOTICES = 20
/** Moves of which nobody knows: they come first, however old they are. */
const INIT_UNSETTLED = 50
/** Questions that were decided lately: they say who was first. */
const INIT_DECIDED = { most: 10, ms: 15 * 60_000 }

type Controller = ReadableStreamDefaultController<Uint8Array>

/** One who listens. */
interface Listener {
  who: Principal
  sight: Sight
}

/** One thing that is told, to those who may see it. */
type Told =
  | { event: 'run'; data: RunSummary & RunView }
  | { event: 'step'; data: { run: number; step: StepView } }
  | { event: 'approval'; data: ApprovalView }
  | { event: 'workflow'; data: WorkflowView }
  | { event: 'notice'; data: NoticeView }
  | { event: 'holds'; data: HoldsView }
  | { event: 'keepalive'; data: object }
  /** Everything anew. */
  | { event: 'init'; data: null }

type StreamDeps = Pick<WebDeps, 'engine' | 'bus' | 'clock' | 'access'>

export class StreamHub {
  readonly #deps: StreamDeps
  readonly #streams = new Map<Controller, Listener>()
  readonly #runs = new Map<number, { summary: RunSummary | null; steps: Set<number> }>()
  readonly #workflows = new Map<number, WorkflowView>()
  #notices: NoticeView[] = []
  #holds: HoldsView | null = null
  readonly #approvals = new Map<number, ApprovalView>()
  #overflow = false
  #cancelSend: (() => void) | null = null
  #cancelKeepalive: (() => void) | null = null
  #unsubscribe: (() => void)[] = []

  constructor(deps: StreamDeps) {
    this.#deps = deps
  }

  start(): void {
    const { bus, access } = this.#deps
    this.#unsubscribe = [
      access.onChange(() => this.#look()),
      bus.on('run', summary => {
        const changed = this.#changed(summary.id)
        if (changed) changed.summary = summary
      }),
      bus.on('step', ({ run, seq }) => this.#changed(run)?.steps.add(seq)),
      bus.on('holds', view => {
        if (this.#gather()) this.#holds = view
      }),
      bus.on('approval', view => {
        if (!this.#gather()) return
        if (this.#approvals.size >= MAX_CHANGED) this.#overflow = true
        else this.#approvals.set(view.id, view)
      }),
      bus.on('workflow', view => {
        if (this.#gather()) this.#workflows.set(view.id, view)
      }),
      bus.on('notice', notice => {
        if (!this.#gather()) return
        if (this.#notices.length < MAX_CHANGED) this.#notices.push(notice)
        else this.#overflow = true
      }),
    ]
    this.#keepalive()
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    this.#cancelKeepalive?.()
    this.#cancelSend?.()
    this.#cancelSend = null
    for (const stream of [...this.#streams.keys()]) this.#close(stream)
  }

  /** A new stream as a response, for as long as `who` may do what they may now; 503 where there are too many. */
  open(who: Principal): Response {
    if (this.#streams.size >= MAX_STREAMS)
      return problem(503, 'too_many_streams', 'Too many pages are open on this box: close some.', {
        headers: { 'retry-after': '10' },
      })
    const sight = new Sight(who, this.#deps.engine)
    let own: Controller
    const body = new ReadableStream<Uint8Array>(
      {
        start: controller => {
          own = controller
          this.#streams.set(own, { who, sight })
          own.enqueue(this.#init(sight))
        },
        cancel: () => {
          this.#streams.delete(own)
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MAX_UNREAD }),
    )
    return new Response(body, {
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
    })
  }

  /** How many are listening. */
  get size(): number {
    return this.#streams.size
  }

  #init(sight: Sight): Uint8Array {
    const { engine } = this.#deps
    const all = sight.approvals(engine.approvals())
    const open = all.filter(({ status }) => status === 'open')
    const since = new Date(this.#deps.clock.now() - INIT_DECIDED.ms).toISOString()
    const decided = all.filter(({ decided_at }) => decided_at !== null && decided_at >= since)
    return frame('init', {
      workflows: sight.workflows(engine.workflows()),
      runs: runsSeen(sight, engine, { limit: INIT_RUNS }).runs,
      notices: engine.notices({ limit: INIT_NOTICES }).filter(each => sight.notice(each)),
      unsettled: engine
        .notices({ unsettled: true, limit: INIT_UNSETTLED })
        .filter(each => sight.notice(each)),
      holds: sight.holds(engine.holds.view()),
      shed: engine.shed(),
      approvals: [...open, ...decided.slice(0, INIT_DECIDED.most)],
      storage: engine.upkeep.view(),
    })
  }

  /** Where to note what changed about a run; null while nobody listens. */
  #changed(run: number) {
    if (!this.#gather()) return null
    const known = this.#runs.get(run)
    if (known) return known
    if (this.#runs.size >= MAX_CHANGED) {
      this.#overflow = true
      return null
    }
    const changed = { summary: null, steps: new Set<number>() }
    this.#runs.set(run, changed)
    return changed
  }

  #gather(): boolean {
    if (!this.#streams.size) return false
    this.#cancelSend ??= this.#deps.clock.after(GATHER_MS, () => {
      this.#cancelSend = null
      this.#sendChanges()
    })
    return true
  }

  #sendChanges(): void {
    const told: Told[] = this.#overflow ? [{ event: 'init', data: null }] : this.#changes()
    this.#overflow = false
    this.#runs.clear()
    this.#workflows.clear()
    this.#notices = []
    this.#holds = null
    this.#approvals.clear()
    this.#send(told)
  }

  #changes(): Told[] {
    const told: Told[] = []
    for (const [id, { summary, steps }] of this.#runs) {
      const view = this.#deps.engine.run(id)
      if (!view) continue
      for (const step of view.steps)
        if (steps.has(step.seq)) told.push({ event: 'step', data: { run: id, step } })
      if (summary) told.push({ event: 'run', data: { ...summary, ...view } })
    }
    for (const data of this.#approvals.values()) told.push({ event: 'approval', data })
    for (const data of this.#workflows.values()) told.push({ event: 'workflow', data })
    for (const data of this.#notices) told.push({ event: 'notice', data })
    if (this.#holds) told.push({ event: 'holds', data: this.#holds })
    return told
  }

  #keepalive(): void {
    this.#cancelKeepalive = this.#deps.clock.after(KEEPALIVE_MS, () => {
      const { engine } = this.#deps
      this.#look()
      const data = { shed: engine.shed(), storage: engine.upkeep.view() }
      this.#send([{ event: 'keepalive', data }])
      this.#keepalive()
    })
  }

  #send(told: readonly Told[]): void {
    // Written once for all who see everything.
    const whole = new Map<Told, Uint8Array>()
    for (const [stream, { sight }] of [...this.#streams]) {
      for (const each of told) {
        const bytes = sight.isFull
          ? (whole.get(each) ?? this.#frameFor(each, sight))
          : this.#frameFor(each, sight)
        if (!bytes) continue
        if (sight.isFull) whole.set(each, bytes)
        stream.enqueue(bytes)
        if ((stream.desiredSize ?? 0) >= 0) continue
        this.#close(stream)
        break
      }
    }
  }

  /** Null where it is not to be seen. */
  #frameFor(told: Told, sight: Sight): Uint8Array | null {
    if (told.event === 'init') return this.#init(sight)
    const data = dataFor(told, sight)
    return data === null ? null : frame(told.event, data)
  }

  /** Ends those of whoever may do something else by now, or nothing any more: they come back as what they are. */
  #look(): void {
    for (const [stream, { who }] of [...this.#streams]) if (!this.#deps.access.still(who)) this.#close(stream)
  }

  #close(stream: Controller): void {
    this.#streams.delete(stream)
    try {
      stream.close()
    } catch {
      // It was closed from the other side in the meantime.
    }
  }
}

function dataFor({ event, data }: Told, sight: Sight): unknown {
  switch (event) {
    case 'run':
      return sight.run(data.id) ? data : null
    case 'step':
      return sight.run(data.run) ? data : null
    case 'approval':
      return sight.run(data.run) ? data : null
    case 'workflow':
      return sight.workflow(data)
    case 'notice':
      return sight.notice(data) ? data : null
    case 'holds':
      return sight.holds(data)
    case 'keepalive':
    case 'init':
      return data
  }
}

function frame(event: string, data: unknown): Uint8Array {
  return new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
}
