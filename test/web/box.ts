import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { templatesIn } from '../../src/box/template-cases.ts'
import { UpdateWatch } from '../../src/box/update/watch.ts'
import { type CamerasNamed, exportYaml, reread } from '../../src/contract/index.ts'
/** A web server on a free port, over an engine that keeps everything in memory. */
import {
  Bus,
  type Clock,
  GatehouseError,
  type Identified,
  type IncomingEvent,
  type Log,
  ManualClock,
  noLog,
} from '../../src/core/index.ts'
import {
  type Admission,
  type ApprovalView,
  CasesFlipped,
  type CaseView,
  check,
  type EngineApi,
  type EngineTopics,
  type HoldsApi,
  type HoldsView,
  type NoticeFilter,
  type NoticeView,
  outlineOf,
  type RunSummary,
  type RunView,
  type Saved,
  type StepView,
  type WorkflowView,
} from '../../src/engine/index.ts'
import { beyond, isInScope, isVisible } from '../../src/engine/reach.ts'
import { type RulesView, Site, type SiteRulesApi, selfMapped } from '../../src/site/index.ts'
import { Store } from '../../src/store/index.ts'
import { Access, type Listen, WebServer } from '../../src/web/index.ts'
import type { Hooks, WebDeps } from '../../src/web/ports.ts'

const NO_SITE = { rolesOf: () => [], camerasWithRole: () => [], cameraName: (id: string) => id }

export const NOW = Date.parse('2026-11-30T12:00:00Z')

export function workflowView(id: number, change: Partial<WorkflowView> = {}): WorkflowView {
  return {
    id,
    slug: `workflow-${id}`,
    name: `Workflow ${id}`,
    description: null,
    state: 'test',
    needs_attention: null,
    snoozed_until: null,
    version: 1,
    trigger: 'webhook',
    removed: false,
    label: null,
    wants_picture: false,
    hook: `/api/v1/hooks/secret-${id}`,
    next_run: null,
    last_run: null,
    accuracy: [],
    ...change,
  }
}

export function stepView(seq: number, change: Partial<StepView> = {}): StepView {
  return {
    seq,
    path: `then[${seq}]`,
    kind: 'log',
    name: null,
    item: null,
    outcome: null,
    status: 'done',
    inputs: null,
    result: null,
    fields: null,
    reason: null,
    confidence: null,
    confidence_source: null,
    self_reported: null,
    unsure_reason: null,
    rule: null,
    model: null,
    evidence: [],
    started_at: new Date(NOW).toISOString(),
    ms: 1,
    usage: null,
    tool_calls: [],
    ...change,
  }
}

export function approvalView(id: number, change: Partial<ApprovalView> = {}): ApprovalView {
  return {
    id,
    run: 1,
    step: 1,
    workflow: { id: 1, slug: 'workflow-1', name: 'Workflow 1' },
    camera: null,
    camera_name: null,
    who: ['role:guard'],
    message: 'Open?',
    parts: [{ text: 'Open?', by_ai: false }],
    by_ai: false,
    replies: [{ reply: 'Yes', default: false, effects: [] }],
    pictures: [],
    stands_still: null,
    status: 'open',
    answer: null,
    answered_by: null,
    identified_by: null,
    seen_again: 0,
    asked_at: new Date(NOW).toISOString(),
    deadline: new Date(NOW + 60_000).toISOString(),
    left_ms: 60_000,
    decided_at: null,
    ...change,
  }
}

function caseView(id: number, change: Partial<CaseView> = {}): CaseView {
  const at = new Date(NOW).toISOString()
  const said = { expected: 'person', options: ['person', 'clear', 'unsure'], note: null, by: 'Ann' }
  return { id, run: null, at, camera: null, ...said, added_at: at, pictures: 0, last: null, ...change }
}

export function noticeView(id: number, change: Partial<NoticeView> = {}): NoticeView {
  return {
    id,
    run: 1,
    step: 1,
    workflow: { id: 1, slug: 'workflow-1', name: 'Workflow 1', version: 1 },
    kind: 'alert',
    severity: 'medium',
    title: `Notice ${id}`,
    body: '',
    audience: null,
    camera_id: null,
    media: null,
    clip: null,
    chain: ['workflow-1'],
    correlation_id: 'run_box_1',
    unsettled: false,
    over: false,
    at: new Date(NOW).toISOString(),
    ...change,
  }
}

/** Takes every event that is addressed to a workflow, or that is a domain event, as a run that is done at once. */
export class MemoryEngine implements EngineApi {
  readonly all = new Map<number, WorkflowView>()
  readonly runViews = new Map<number, RunView>()
  readonly summaries = new Map<number, RunSummary>()
  readonly events: IncomingEvent[] = []
  readonly #bus: Bus<EngineTopics>

  constructor(bus: Bus<EngineTopics>) {
    this.#bus = bus
  }

  listensFor(): [] {
    return []
  }

  async submit(event: IncomingEvent): Promise<Admission[]> {
    const seen = this.events.some(({ id }) => id === event.id)
    if (!seen) this.events.push(event)
    const targets = event.workflowId === null ? [...this.all.keys()] : [event.workflowId]
    return targets.map(id => {
      const workflow = this.all.get(id)
      if (seen) return { workflow: String(id), run: null, reason: { code: 'seen', message: 'Taken before.' } }
      if (!workflow || workflow.state === 'off')
        return { workflow: String(id), run: null, reason: { code: 'off', message: 'The workflow is off.' } }
      const said = event.kind === 'message' && `I heard: ${String(event.payload.message)}`
      const view = said ? { steps: [stepView(0, { kind: 'reply', inputs: said })] } : {}
      const run = this.add(workflow, { trigger: event.kind, view }).id
      return { workflow: workflow.slug, run, reason: null }
    })
  }

  /** A run, in the list and by its id; both are published. */
  add(
    { id, slug, name }: WorkflowView,
    {
      trigger = 'webhook',
      summary = {},
      view = {},
    }: {
      trigger?: string
      summary?: Partial<RunSummary>
      view?: Partial<RunView>
    } = {},
  ): RunView {
    const both = {
      id: this.runViews.size + 1,
      workflow: { id, slug, name },
      state: 'test' as const,
      status: 'done' as const,
      started_at: new Date(NOW).toISOString(),
      ended_at: new Date(NOW + 400).toISOString(),
    }
    const run: RunView = {
      ...both,
      version: 1,
      versions: { workflow: 1, site: 0 },
      stopping: false,
      marks: [],
      trigger: { kind: trigger, event: {} },
      values: {},
      chain: [],
      seen_again: 0,
      error: null,
      note: null,
      pictures: [],
      clips: [],
      steps: [stepView(0, { inputs: 'hello' })],
      ...view,
    }
    const { status, state } = run
    const line = {
      camera: null,
      decision: null,
      reason: null,
      picture: null,
      ...both,
      status,
      state,
      ...summary,
    }
    this.runViews.set(run.id, run)
    this.summaries.set(run.id, line)
    this.#bus.publish('run', line)
    return run
  }

  /** Which cameras its workflows are about, by their ids; all of them know every camera by its id only. */
  readonly cameras = new Map<number, CamerasNamed>()
  readonly scope: EngineApi['scope'] = {
    camera: (scope, id) => isInScope(scope, id, NO_SITE),
    workflow: (scope, id) => isVisible(scope, this.#named(id), NO_SITE),
    run: (scope, id) => {
      const run = this.summaries.get(id)
      if (scope === null) return true
      if (!run) return false
      const sees = run.camera === null || isInScope(scope, run.camera, NO_SITE)
      return sees && isVisible(scope, this.#named(run.workflow.id), NO_SITE)
    },
    question: (scope, id) => scope === null || this.scope.run(scope, this.questions.get(id)?.run ?? 0),
    media: scope => scope === null,
    beyond: (scope, id) => beyond(scope, this.#named(id), NO_SITE),
  }

  #named(id: number): CamerasNamed {
    return this.cameras.get(id) ?? { trigger: [], steps: [] }
  }

  holding: HoldsView = { paused: false, by: null, since: null, held: [], snoozes: [] }
  readonly released: [number, boolean][] = []
  readonly holds: HoldsApi = {
    view: () => this.holding,
    pause: async (paused, { name }) =>
      this.#held({ paused, by: paused ? name : null, since: paused ? new Date(NOW).toISOString() : null }),
    release: async (run, go) => {
      this.released.push([run, go])
      this.#held({ held: this.holding.held.filter(each => each.run !== run) })
    },
    snoozeWorkflow: async (id, ms) => {
      const until = ms ? new Date(Date.now() + ms).toISOString() : null
      const view = { ...(this.all.get(id) ?? workflowView(id)), snoozed_until: until }
      this.all.set(id, view)
      this.#bus.publish('workflow', view)
      return this.holding
    },
    snoozeCamera: async (target, ms) => {
      const until = new Date(NOW + ms).toISOString()
      return this.#held({ snoozes: [{ kind: 'camera', target, until, by: 'x', since: until }] })
    },
  }

  hold(held: HoldsView['held'][number]): void {
    this.#held({ held: [held] })
  }

  #held(change: Partial<HoldsView>): HoldsView {
    this.holding = { ...this.holding, ...change }
    this.#bus.publish('holds', this.holding)
    return this.holding
  }

  workflows = () => [...this.all.values()]
  workflow = (key: number | string) =>
    this.workflows().find(({ id, slug }) => String(id) === String(key) || slug === key) ?? null
  workflowYaml = () => 'name: x\n'
  outline: EngineApi['outline'] = id => {
    const workflow = reread(this.yamlFor(id)) ?? reread(`${BARE}name: ${this.all.get(id)?.slug}\n`)
    return workflow ? { ...outlineOf(workflow, selfMapped(), ''), test: this.tested } : null
  }
  tested = { runs: 0, done: 0, failed: 0, stopped: 0 }
  /** The file of a workflow. */
  yamlFor = (_id: number): string => this.workflowYaml()
  byHook = (hook: string) => this.workflows().find(it => it.hook === `/api/v1/hooks/${hook}`) ?? null

  async save(yaml: string, { id }: { id?: number } = {}): Promise<Saved> {
    if (!yaml.includes('name:')) {
      const problem = { line: 1, column: 1, path: '', code: 'missing_key', message: 'Give it a name.' }
      return { ok: false, problems: [{ severity: 'error', ...problem }] }
    }
    const workflow = workflowView(id ?? this.all.size + 1)
    this.all.set(workflow.id, workflow)
    return { ok: true, workflow, problems: [] }
  }

  readonly rolledBack: { id: number; version: number }[] = []
  rollback = async (id: number, version: number) => {
    this.rolledBack.push({ id, version })
    return this.save(`name: ${version}`, { id })
  }
  readonly cases: CaseView[] = []
  readonly learning: EngineApi['learning'] = {
    set: {
      list: () => this.cases,
      get: (_, id) => this.cases.find(each => each.id === id) ?? null,
      add: async (run, expected, note, by) => {
        const view = caseView(this.cases.length + 1, { run, expected, note, by })
        this.cases.unshift(view)
        return view
      },
      remove: async (_, id) => {
        this.cases.splice(
          this.cases.findIndex(each => each.id === id),
          1,
        )
      },
      picture: async () => null,
      tryAll: async () => ({ tried: [], flipped: 0 }),
      files: async function* () {},
    },
    try: async ({ yaml = 'name: x' }) =>
      yaml.includes('name:')
        ? { ok: true, tried: [], flipped: 0, note: 'Nothing.' }
        : { ok: false, problems: [] },
    cases: async () => ({ tried: [], worse: 0, better: 0 }),
    mark: async (id, right, note, by) =>
      this.#change(id, { marks: [{ by, right, note, at: new Date(NOW).toISOString() }] }),
    versions: () => [
      {
        number: 2,
        at: new Date(NOW).toISOString(),
        by: 'Ann',
        change: 'then[0]: ai sure',
        in_force: true,
        accuracy: [],
      },
      {
        number: 1,
        at: new Date(NOW).toISOString(),
        by: null,
        change: 'first version',
        in_force: false,
        accuracy: [],
      },
    ],
    yamlOf: () => 'name: x\n',
    trust: id => ({
      above_medium: '20 of 20 right, or 37 of 40',
      steps: (this.all.get(id)?.accuracy ?? []).map(step => ({
        ...step,
        alerts: {
          most: 'medium',
          why: '19 of 20 marks say right; above medium it takes 20 of 20 right, or 37 of 40',
        },
        suggested: { sure: 0.8, kept: 18, of: 20, right: 18, share: 1, low: 0.824, high: 1, enough: true },
      })),
    }),
  }

  async remove(id: number): Promise<void> {
    const view = this.all.get(id)
    this.all.delete(id)
    if (view) this.#bus.publish('workflow', { ...view, removed: true })
  }

  setState: EngineApi['setState'] = async (id, state, _, { confirmed = false } = {}) => {
    const before = this.all.get(id) ?? workflowView(id)
    if (state === 'on' && before.state !== 'on' && !confirmed && before.name === 'Flips')
      throw new CasesFlipped({ tried: [], worse: 1, better: 0 })
    const view = { ...before, state }
    this.all.set(id, view)
    this.#bus.publish('workflow', view)
    return view
  }

  runs({ workflowId, before, limit, ...which }: Parameters<EngineApi['runs']>[0]): RunSummary[] {
    return [...this.summaries.values()]
      .filter(({ id, workflow }) => id < (before ?? Infinity) && workflow.id === (workflowId ?? workflow.id))
      .filter(
        it =>
          (which.statuses?.includes(it.status) ?? true) &&
          it.state === (which.state ?? it.state) &&
          it.camera === (which.cameraId ?? it.camera) &&
          it.decision === (which.decision ?? it.decision) &&
          Date.parse(it.started_at) >= (which.since ?? 0) &&
          Date.parse(it.started_at) < (which.until ?? Infinity),
      )
      .sort((a, b) => b.id - a.id)
      .slice(0, limit)
  }

  run = (id: number) => this.runViews.get(id) ?? null
  replies: EngineApi['replies'] = (id, after = -1) => {
    const { status, steps } = this.#get(id)
    const said = steps.filter(({ kind, seq }) => kind === 'reply' && seq > after)
    const replies = said.map(({ seq, inputs, started_at }) => ({ seq, text: String(inputs), at: started_at }))
    return { run: id, status, ended: status === 'done', replies, would_have: [], note: null }
  }

  settled = async (id: number) => this.#get(id)
  stopRun = async (id: number) => this.#change(id, { status: 'stopped' })
  settle: EngineApi['settle'] = async (id, happened, by) =>
    this.#change(id, { status: 'done', values: { happened, by } })
  upkeep = { view: () => ({ low: false, free_bytes: null, stored_bytes: null }) }
  audit = () => []
  shed = () => ({ queue_full: 2 })

  readonly questions = new Map<number, ApprovalView>()

  /** A question, in the list and on the bus. */
  ask(change: Partial<ApprovalView>): ApprovalView {
    const view = approvalView(change.id ?? this.questions.size + 1, change)
    this.questions.set(view.id, view)
    this.#bus.publish('approval', view)
    return view
  }

  approvals = ({ open = false }: { open?: boolean } = {}) =>
    [...this.questions.values()].filter(({ status }) => !open || status === 'open')

  async answer(id: number, reply: string, by: Identified): Promise<ApprovalView> {
    const known = this.questions.get(id)
    if (known?.status !== 'open')
      throw new GatehouseError('already_decided', `Bob answered “${known?.answer}”.`, { status: 409 })
    return this.ask({
      ...known,
      status: 'answered',
      answer: reply,
      answered_by: by.name,
      identified_by: by.by,
      left_ms: null,
      decided_at: new Date().toISOString(),
    })
  }

  readonly told = new Map<number, NoticeView>()

  /** Something that people are told, in the list and on the bus. */
  tell(change: Partial<NoticeView> = {}): NoticeView {
    const notice = noticeView(change.id ?? this.told.size + 1, change)
    this.told.set(notice.id, notice)
    this.#bus.publish('notice', notice)
    return notice
  }

  notices = ({ kinds, severities, unsettled, before, limit }: NoticeFilter): NoticeView[] =>
    [...this.told.values()]
      .filter(
        it =>
          it.id < (before ?? Infinity) &&
          (kinds?.includes(it.kind) ?? true) &&
          (severities?.includes(it.severity) ?? true) &&
          (!unsettled || it.unsettled),
      )
      .sort((a, b) => b.id - a.id)
      .slice(0, limit)

  #get(id: number): RunView {
    const run = this.runViews.get(id)
    if (!run) throw new Error(`no run ${id}`)
    return run
  }

  #change(id: number, change: Partial<RunView>): RunView {
    const run = { ...this.#get(id), ...change }
    this.runViews.set(id, run)
    return run
  }
}

export interface Box<C extends Clock = Clock> {
  url: string
  port: number
  engine: MemoryEngine
  bus: Bus<EngineTopics>
  clock: C
  server: WebServer
  /** To start another one over the same data. */
  deps: WebDeps
  /** What it had to say to people. */
  said: { title: string; body: string }[]
  access: Access
  store: Store
  /** The socket for commands on the box. */
  socket: string
  pictures: Map<number, { bytes: Uint8Array; type: string }>
  stop(): Promise<void>
}

const refused = async () => {
  throw new GatehouseError('rules_invalid', 'This box takes no rules.', { status: 422 })
}
export const noRules: SiteRulesApi = {
  view: () => ({ version: 0, at: null, by: null, set: {}, in_force: {} }) as unknown as RulesView,
  versions: () => [],
  version: () => null,
  put: refused,
  putPart: refused,
  takeBack: refused,
  list: () => null,
  entries: () => null,
  previewList: () => {
    throw new GatehouseError('csv_invalid', 'This box takes no lists.', { status: 422 })
  },
  putList: refused,
  putEntries: refused,
  dropList: refused,
}

const TEMPLATES = join(import.meta.dirname, '../../templates')
const BARE = 'contract: workflow.v1\nwhen: { button: {} }\nthen: [{ log: x }]\n'
const pick = ({
  file,
  name,
  description = null,
  yaml,
}: {
  file: string
  name: string
  description?: string | null
  yaml: string
}) => ({ file, name, description, yaml })

/** Starts one; `port` 0 takes any. */
/** As of a model that does what the sentence says. */
const drafted = async (sentence: string) => {
  if (sentence === 'down') throw new GatehouseError('llm_down', 'Name a model.', { status: 503 })
  return { yaml: `name: ${sentence}\n`, problems: [], rounds: 1, model: 'scripted' }
}

/** Lists where releases are looked for. */
const updatesSite = Site.load('updates: { from: /media/stick }\n', 'site.yaml')

export async function startBox<C extends Clock = ManualClock>(
  port = 0,
  clock: C = new ManualClock(NOW) as unknown as C,
  siteRules: SiteRulesApi = noRules,
  more: { log?: Log; mostBodyBytes?: number; hooks?: Hooks; pinned?: Partial<Listen> } = {},
): Promise<Box<C>> {
  const bus = new Bus<EngineTopics>(noLog)
  const engine = new MemoryEngine(bus)
  const pictures: Box['pictures'] = new Map()
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-web-'))
  const store = new Store({ dir, clock, log: noLog })
  store.start()
  const access = new Access({ store, clock })
  const socket = join(dir, 'gatehouse.sock')
  const said: Box['said'] = []
  const deps: WebDeps = {
    port,
    dataDir: dir,
    store,
    engine,
    access,
    bus,
    clock,
    log: noLog,
    siteRules,
    siteMode: { get: () => 'day', modes: ['day', 'night'], keptBy: 'box', set: async () => undefined },
    media: {
      open: async id => {
        const found = pictures.get(id)
        return found ? { body: new Blob([new Uint8Array(found.bytes)]), type: found.type } : null
      },
    },
    hooks: { assertFrom: () => undefined, assertSigned: () => undefined, picture: async () => JPEG },
    cameras: {
      picture: async () => ({ bytes: JPEG, takenAt: NOW }),
      try: async () => ({ works: false, message: 'It is not there.', picture: null }),
      keepPassword: async () => 'camera-1',
      offered: async () => [],
      discover: async () => [],
    },
    siteTests: { run: async (kind, name) => ({ kind, name, outcome: 'works', message: 'It works.', ms: 1 }) },
    updates: new UpdateWatch({
      ...{ dataDir: dir, site: () => updatesSite, store, clock, log: noLog, tell: async () => undefined },
      ...{ stateDir: dir, updater: dir },
    }),
    authoring: {
      validate: yaml => (yaml.startsWith('contract:') ? check(yaml, { site: selfMapped() }).problems : []),
      inspect: yaml => {
        const { workflow, problems } = check(yaml, { site: selfMapped() })
        const outline = workflow ? outlineOf(workflow, selfMapped(), '') : null
        return { yaml, problems, holds: workflow !== undefined, outline, wanted: [] }
      },
      portable: yaml => {
        const workflow = reread(yaml)
        return workflow ? exportYaml(workflow) : null
      },
      templates: () =>
        templatesIn(TEMPLATES)
          .map(one => ({ ...one, ...one.workflow, yaml: one.text }))
          .map(pick),
      draft: drafted,
      registry: () => ({ triggers: [] }),
      names: () => ({
        cameras: [
          { id: 'gate', roles: ['gate'], zones: [] },
          { id: 'yard', roles: ['yard'], zones: ['dock'] },
        ],
        ...{ lists: [], roles: ['guard'], people: [], modes: ['day', 'night'], destinations: [], topics: [] },
        ...{ tools: [], schemas: [], apps: {} },
      }),
      schema: () => ({ type: 'object' }),
    },
    system: {
      hardware: async () => ({ cores: 2 }),
      models: async () => ({ models: [] }),
      checkup: async () => ({ checks: [], report: {} }),
      health: () => ({ ready: true, details: { free_bytes: 1 } }),
      metrics: () => [{ name: 'runs', help: 'Runs.', type: 'gauge', values: [{ value: 3 }] }],
      timeZone: () => 'Europe/Berlin',
      version: '0.1.0',
    },
    care: {
      privacy: { preview: async () => ({ runs: 1 }), forget: async () => ({ runs: 1 }) },
      log: { lines: () => [], last: 1, level: 'info' },
      backups: {
        view: async () => ({
          copies: [],
          set_aside: [],
          last: null,
          scheduled: null,
          restore_problem: null,
          restores: false,
        }),
        make: async () => ({ name: 'box.tar', bytes: new Blob(['x']).stream() }),
        take: async () => ({ bytes: 1, encrypted: false }),
        restore: async () => ({ restarting: false }),
      },
      machine: () => ({ processes: [], heat: null, memory: null, wear: null }),
      bundle: async () => new Uint8Array(1),
      leaveSafeMode: async () => false,
    },
    tell: news => {
      said.push(news)
    },
    ...more,
  }
  const server = new WebServer(deps)
  const leave = () => {
    store.stop()
    rmSync(dir, { recursive: true, force: true })
  }
  const started = await server.start().catch(error => {
    leave()
    throw error
  })
  const stop = async () => {
    await server.stop()
    leave()
  }
  return { ...started, engine, bus, clock, server, deps, said, access, store, socket, pictures, stop }
}

/** The first bytes of a JPEG: as much as the door looks at. */
export const JPEG = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1])
