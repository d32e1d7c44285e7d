/**
 * The live stream (server-sent events): `init`, then `run`, `step`, `approval`, `workflow`, `notice` and `holds` as they
 * come, `keepalive` every 15 s. What changes faster than ten times a second is sent once, as it last was. Whoever comes
 * back with the id of the last event that they heard hears what followed it, and nothing twice; where that is not known
 * any more an `init` says how everything stands, with all that came about since then.
 */
import type { ApprovalView, HoldsView, NoticeView, RunSummary, WorkflowView } from '../engine/index.ts'
import type { Principal } from './access/index.ts'
import { runsSeen } from './find.ts'
import type { WebDeps } from './ports.ts'
import { problem } from './problem.ts'
import { Sight } from './sight.ts'
import { StreamMemory, type Told } from './stream-memory.ts'
import { idOf, type Place, placeOf, sightKey } from './stream-place.ts'

const MAX_STREAMS = 32
/** What one slow reader may leave unread; then it is cut off, and starts anew when it comes back. */
const MAX_UNREAD = 1024 * 1024
/** More changed runs than this between two sendings: everybody starts anew instead. */
const MAX_CHANGED = 200
const GATHER_MS = 100
const KEEPALIVE_MS = 15_000
/** After which browsers come back. */
const RETRY_MS = 2_000
const INIT_RUNS = 50
const INIT_NOTICES = 20
/** Of what came about since somebody heard the last of another life of the box. */
const INIT_SINCE = 200
/** Moves of which nobody knows: they come first, however old they are. */
const INIT_UNSETTLED = 50
/** Questions that were decided lately: they say who was first. */
const INIT_DECIDED = { most: 10, ms: 15 * 60_000 }

type Controller = ReadableStreamDefaultController<Uint8Array>

/** One who listens. */
interface Listener {
  who: Principal
  sight: Sight
  /** Of `sight`, in ids. */
  key: string
}

type StreamDeps = Pick<WebDeps, 'engine' | 'bus' | 'clock' | 'access'>

export class StreamHub {
  readonly #deps: StreamDeps
  readonly #streams = new Map<Controller, Listener>()
  readonly #runs = new Map<number, { summary: RunSummary | null; steps: Set<number> }>()
  readonly #workflows = new Map<number, WorkflowView>()
  #notices: NoticeView[] = []
  #holds: HoldsView | null = null
  readonly #approvals = new Map<number, ApprovalView>()
  readonly #memory: StreamMemory
  /** The newest that was told of. */
  #newest = { run: 0, notice: 0 }
  #overflow = false
  #cancelSend: (() => void) | null = null
  #cancelKeepalive: (() => void) | null = null
  #unsubscribe: (() => void)[] = []

  constructor(deps: StreamDeps) {
    this.#deps = deps
    this.#memory = new StreamMemory(deps.clock)
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
      // Everybody starts anew, and what was told before is kept no longer.
      bus.on('forgotten', () => {
        if (this.#gather()) this.#overflow = true
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

  /**
   * A new stream as a response, for as long as `who` may do what they may now; 503 where there are too many. `last`: the id
   * of what they heard last.
   */
  open(who: Principal, last: string | null = null): Response {
    if (this.#streams.size >= MAX_STREAMS)
      return problem(503, 'too_many_streams', 'Too many pages are open on this box: close some.', {
        headers: { 'retry-after': '10' },
      })
    // What waits to be told is in what is said at first.
    if (this.#cancelSend) this.#sendChanges()
    const sight = new Sight(who, this.#deps.engine)
    const listener: Listener = { who, sight, key: sightKey(who) }
    let own: Controller
    const body = new ReadableStream<Uint8Array>(
      {
        start: controller => {
          own = controller
          this.#streams.set(own, listener)
          this.#memory.listened()
          for (const bytes of this.#firstFor(listener, placeOf(last))) own.enqueue(bytes)
        },
        cancel: () => this.#left(own),
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

  /** What somebody hears first: what followed the last that they heard, where that is known, else how everything stands. */
  #firstFor(listener: Listener, last: Place | null): Uint8Array[] {
    const missed = last?.key === listener.key ? this.#memory.since(last) : null
    if (!missed) return [this.#init(listener, last)]
    const frames = missed.flatMap(({ seq, told }) => this.#frameFor(told, listener, seq) ?? [])
    const bytes = frames.reduce((sum, each) => sum + each.byteLength, 0)
    if (bytes > MAX_UNREAD / 2) return [this.#init(listener, last)]
    // Something is said at once, so that whoever listens knows that the line stands.
    return [new TextEncoder().encode(`retry: ${RETRY_MS}\n: again\n\n`), ...frames]
  }

  /** `last`: heard in another life of the box, or too long ago; what came about since then is there. */
  #init({ sight, key }: Listener, last: Place | null = null): Uint8Array {
    const { engine } = this.#deps
    const all = sight.approvals(engine.approvals())
    const open = all.filter(({ status }) => status === 'open')
    const since = new Date(this.#deps.clock.now() - INIT_DECIDED.ms).toISOString()
    const decided = all.filter(({ decided_at }) => decided_at !== null && decided_at >= since)
    const lately = runsSeen(sight, engine, { limit: last ? INIT_SINCE : INIT_RUNS }).runs
    const runs = last ? lately.filter(({ id }, i) => i < INIT_RUNS || id > last.run) : lately
    const heard = last?.notice ?? Number.POSITIVE_INFINITY
    const notices = engine
      .notices({ limit: last ? INIT_SINCE : INIT_NOTICES })
      .filter(({ id }, i) => i < INIT_NOTICES || id > heard)
    this.#newest.run = Math.max(this.#newest.run, runs[0]?.id ?? 0)
    this.#newest.notice = Math.max(this.#newest.notice, notices[0]?.id ?? 0)
    const place = { life: this.#memory.life, seq: this.#memory.seq, key, ...this.#newest }
    return frame('init', idOf(place), {
      workflows: sight.workflows(engine.workflows()),
      runs,
      notices: notices.filter(each => sight.notice(each)),
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
    if (!this.#streams.size && !this.#memory.lingers) return false
    this.#cancelSend ??= this.#deps.clock.after(GATHER_MS, () => this.#sendChanges())
    return true
  }

  #sendChanges(): void {
    this.#cancelSend?.()
    this.#cancelSend = null
    const told: Told[] = this.#overflow ? [{ event: 'init', data: null }] : this.#changes()
    this.#overflow = false
    this.#runs.clear()
    this.#workflows.clear()
    this.#notices = []
    this.#holds = null
    this.#approvals.clear()
    for (const { event, data } of told) {
      if (event === 'run') this.#newest.run = Math.max(this.#newest.run, data.id)
      if (event === 'notice') this.#newest.notice = Math.max(this.#newest.notice, data.id)
    }
    this.#send(this.#memory.keep(told))
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
      this.#send([{ seq: null, told: { event: 'keepalive', data } }])
      this.#keepalive()
    })
  }

  #send(all: readonly { seq: number | null; told: Told }[]): void {
    // Written once for all who see everything, and the same of it.
    const whole = new Map<string, Uint8Array>()
    for (const [stream, listener] of [...this.#streams]) {
      for (const { seq, told } of all) {
        const shared = listener.sight.isFull ? `${seq} ${listener.key}` : null
        const bytes = (shared === null ? undefined : whole.get(shared)) ?? this.#frameFor(told, listener, seq)
        if (!bytes) continue
        if (shared !== null) whole.set(shared, bytes)
        stream.enqueue(bytes)
        if ((stream.desiredSize ?? 0) >= 0) continue
        this.#close(stream)
        break
      }
    }
  }

  /** Null where it is not to be seen. `seq` null: it is nothing to come back to. */
  #frameFor(told: Told, listener: Listener, seq: number | null): Uint8Array | null {
    if (told.event === 'init') return this.#init(listener)
    const data = dataFor(told, listener.sight)
    if (data === null) return null
    const { key } = listener
    const id = seq === null ? null : idOf({ life: this.#memory.life, seq, key, ...this.#newest })
    return frame(told.event, id, data)
  }

  /** Ends those of whoever may do something else by now, or nothing any more: they come back as what they are. */
  #look(): void {
    for (const [stream, { who }] of [...this.#streams]) if (!this.#deps.access.still(who)) this.#close(stream)
  }

  #left(stream: Controller): void {
    this.#streams.delete(stream)
    if (!this.#streams.size) this.#memory.left()
  }

  #close(stream: Controller): void {
    this.#left(stream)
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

function frame(event: string, id: string | null, data: unknown): Uint8Array {
  const named = id === null ? '' : `id: ${id}\n`
  const retry = event === 'init' ? `retry: ${RETRY_MS}\n` : ''
  return new TextEncoder().encode(`event: ${event}\n${named}${retry}data: ${JSON.stringify(data)}\n\n`)
}
