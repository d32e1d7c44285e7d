import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Decision, LanguageModel } from '../../src/ai/index.ts'
import {
  Bus,
  GatehouseError,
  type IncomingEvent,
  ManualClock,
  noLog,
  type Picture,
} from '../../src/core/index.ts'
import {
  Engine,
  type EngineDeps,
  type EngineOptions,
  type EngineTopics,
  type Language,
  type Look,
  type RunView,
  type ToolPorts,
} from '../../src/engine/index.ts'
import type { Archive, Cameras, Outgoing, World } from '../../src/kinds/index.ts'
import { Site, SiteMode } from '../../src/site/index.ts'
import { MediaFiles, type NoticeRow, Store } from '../../src/store/index.ts'
import type { Vision } from '../../src/vision/index.ts'

export const SITE = `
time_zone: Europe/Berlin
modes: [disarmed, armed_home, armed_away]
cameras:
  gate: { name: Main gate, roles: [gate] }
  yard-1: { name: Yard north, roles: [yard] }
  yard-2: { name: Yard south, roles: [yard] }
people:
  ann: { roles: [guard] }
lists:
  residents: [B-AB 123, m xy 9]
destinations:
  chat: { url: "http://127.0.0.1:9/chat", class: tell }
  barrier: { url: "http://192.0.2.9/barrier", class: move }
trusted_webhooks: [trusted]
plain_alert_sources: [smoke-detector]
`

export const noArchive: Archive = {
  lacks: 'there is no NVR',
  events: async () => [],
  evidence: async () => null,
  frame: async () => null,
}

export interface Sent {
  to: string
  json: unknown
  deliveryId: string
}

export type BoxOptions = EngineOptions & {
  site?: string
  start?: number
  base?: string
  disk?: () => Promise<{ total: number; free: number }>
  /** Who else is there. */
  world?: World
}

/** A whole engine over a real store in a folder of its own, with a clock that is turned by hand. */
export class Box {
  readonly dir: string
  readonly clock: ManualClock
  readonly sent: Sent[] = []
  /** What the destinations answer: a status, or an error to reject with. */
  answer: (sent: Sent & { signal: AbortSignal }) => number | Error | Promise<number> = () => 200
  look: Look = async () => decision({})
  /** Whether the site names a language model. */
  language = false
  /** The one that investigations ask. */
  model: LanguageModel | null = null
  /** What looks at pictures for tools. */
  vision: Vision | null = null
  /** Who else keeps what was. */
  archive: Archive = noArchive
  /** Whom kinds may ask; in force at the next look at what stands in the way of workflows. */
  readonly world: { -readonly [K in keyof World]: World[K] } = {}
  snapshot: Cameras['snapshot'] = async cameraId => {
    throw new GatehouseError('camera_offline', `${cameraId} gives no picture`)
  }
  site: Site
  store: Store
  engine: Engine
  /** What it works with. */
  deps!: EngineDeps
  bus = new Bus<EngineTopics>(noLog)
  readonly #options: EngineOptions
  readonly #disk: BoxOptions['disk']
  #ids = 0

  constructor(options: BoxOptions = {}) {
    this.dir = mkdtempSync(join(options.base ?? tmpdir(), 'gatehouse-engine-'))
    this.#options = options
    this.#disk = options.disk
    this.world = options.world ?? this.world
    this.clock = new ManualClock(options.start ?? Date.UTC(2026, 2, 10, 12))
    this.site = Site.load(options.site ?? SITE, join(this.dir, 'site.yaml'))
    this.store = this.#open()
    this.engine = this.#build()
  }

  async start(): Promise<this> {
    this.store.start()
    await this.engine.start()
    return this
  }

  /** As after a restart of the process: everything in memory is gone. */
  async restart(afterMs = 0): Promise<void> {
    await this.engine.stop()
    this.store.stop()
    this.clock.advance(afterMs)
    this.store = this.#open()
    this.engine = this.#build()
    await this.start()
  }

  /** As after a pulled plug: what was under way is not waited for, and finds the file closed. */
  async crash(): Promise<void> {
    this.store.stop()
    this.store = this.#open()
    this.engine = this.#build()
    await this.start()
  }

  async stop(): Promise<void> {
    const stopped = this.engine.stop()
    // What hangs is given up.
    this.clock.advance(60_000)
    await stopped
    this.store.stop()
    rmSync(this.dir, { recursive: true, force: true })
  }

  /** Stores a workflow that has to be without errors; answers with its id. */
  async save(yaml: string, state?: 'off' | 'test' | 'on'): Promise<number> {
    const saved = await this.engine.save(yaml)
    if (!saved.ok) throw new Error(saved.problems.map(each => `${each.line}: ${each.message}`).join('\n'))
    if (state) await this.engine.setState(saved.workflow.id, state)
    return saved.workflow.id
  }

  event(patch: Partial<IncomingEvent> = {}): IncomingEvent {
    return {
      kind: 'event',
      id: `evt_${++this.#ids}`,
      at: this.clock.now(),
      cameraId: 'gate',
      schema: 'plate.recognized.v1',
      source: 'plates',
      severity: null,
      payload: { plate_text: 'B-AB 123', confidence: 0.97 },
      correlationId: null,
      chain: [],
      by: null,
      workflowId: null,
      pictures: [],
      ...patch,
    }
  }

  press(workflowId: number, by: IncomingEvent['by'] = { by: 'session', name: 'Ann' }): IncomingEvent {
    return this.event({ kind: 'button', workflowId, by, schema: null, payload: {}, cameraId: null })
  }

  hook(
    workflowId: number,
    payload: IncomingEvent['payload'] = {},
    cameraId: string | null = null,
  ): IncomingEvent {
    return this.event({ kind: 'webhook', workflowId, payload, schema: null, source: null, cameraId })
  }

  /** Offers an event that has to start exactly one run, and waits for its end. */
  async run(event: IncomingEvent): Promise<RunView> {
    return this.ended(await this.begin(event))
  }

  async begin(event: IncomingEvent): Promise<number> {
    const admissions = await this.engine.submit(event)
    const [admission] = admissions
    if (admissions.length !== 1 || !admission || admission.run === null) {
      throw new Error(`no run: ${JSON.stringify(admissions)}`)
    }
    return admission.run
  }

  /** Why an event started nothing. */
  async refused(event: IncomingEvent): Promise<string | undefined> {
    const admissions = await this.engine.submit(event)
    if (admissions.some(({ run }) => run !== null)) throw new Error('a run began')
    return admissions[0]?.reason?.code
  }

  async ended(id: number): Promise<RunView> {
    const view = await this.engine.settled(id, 5_000)
    if (view.ended_at === null) throw new Error(`run ${id} is still ${view.status}`)
    return view
  }

  /** Resolves when the run has the status. */
  async until(id: number, status: RunView['status']): Promise<RunView> {
    for (let i = 0; i < 500; i++) {
      const view = this.engine.run(id)
      if (view?.status === status) return view
      await Bun.sleep(2)
    }
    throw new Error(`run ${id} did not become ${status}: it is ${this.engine.run(id)?.status}`)
  }

  /** Resolves once nothing more is written or sent by itself, however slow the disk is. */
  async quiet(): Promise<void> {
    for (let [same, before] = [0, '']; same < 8; ) {
      await Bun.sleep(1)
      const now = JSON.stringify([this.store.counts, this.sent.length])
      same = now === before ? same + 1 : 0
      before = now
    }
  }

  /** What people were told by a run, in order. */
  notices(run: number): NoticeRow[] {
    return this.store.notices
      .list({ limit: 100 })
      .filter(({ runId }) => runId === run)
      .reverse()
  }

  #tools(): ToolPorts {
    const box = this
    return {
      get vision() {
        return box.vision
      },
      health: null,
      get archive() {
        return box.archive
      },
    }
  }

  #language(): Language {
    const box = this
    return {
      get named() {
        return box.language
      },
      get model() {
        return box.model
      },
    }
  }

  #open(): Store {
    return new Store({ dir: this.dir, clock: this.clock, mends: true })
  }

  #build(): Engine {
    const outgoing: Outgoing = {
      send: async ({ to, json, deliveryId, signal }) => {
        const sent = { to, json, deliveryId }
        this.sent.push(sent)
        const answer = await this.answer({ ...sent, signal })
        if (answer instanceof Error) throw answer
        return { status: answer, body: 'ok' }
      },
    }
    this.deps = {
      store: this.store,
      media: new MediaFiles(this.dir),
      clock: this.clock,
      log: noLog,
      bus: this.bus,
      site: () => this.site,
      look: (...args) => this.look(...args),
      language: this.#language(),
      outgoing,
      tools: this.#tools(),
      cameras: { snapshot: (...args) => this.snapshot(...args) },
      siteMode: new SiteMode(this.store, () => this.site),
      world: this.world,
      ...(this.#disk && { disk: this.#disk }),
      options: { scratchDir: join(this.dir, 'try'), ...this.#options },
    }
    return new Engine(this.deps)
  }
}

export function decision(patch: Partial<Decision>): Decision {
  return {
    decision: 'unsure',
    fields: {},
    reason: 'nothing seen',
    confidence: null,
    confidenceSource: null,
    selfReported: null,
    unsureReason: patch.decision === undefined ? 'no_rule' : null,
    rule: null,
    evidence: { pictures: [] },
    trace: [],
    usage: { modelCalls: 1, ms: 3, tokensIn: 0, tokensOut: 0 },
    model: 'test',
    ...patch,
  }
}

export function picture(text: string, takenAt: number | null = null): Picture {
  return {
    bytes: new Uint8Array([0xff, 0xd8, 0xff, ...new TextEncoder().encode(text)]),
    takenAt,
    source: 'upload',
  }
}
