/** What the page knows, kept fresh by the stream. */
import {
  type ApprovalView,
  getNotices,
  getRun,
  getRuns,
  getSite,
  type HoldsView,
  type Listening,
  listen,
  type NoticeView,
  type RunSummary,
  type RunView,
  type Shed,
  type UpkeepView,
  type WorkflowView,
} from './api.ts'
import { type Question, questionOf, withQuestion } from './questions.ts'
import { settledBy, withNotices } from './told.ts'

export interface State {
  workflows: WorkflowView[]
  /** Newest first. */
  runs: RunSummary[]
  /** Questions to people: open ones, the most urgent first, then those that were decided. */
  questions: Question[]
  /** What people were told, newest first. */
  notices: NoticeView[]
  /** There are older ones: what to ask for; null: none. */
  olderNotices: number | null
  /** Runs that were opened, by id. */
  details: ReadonlyMap<number, RunView>
  /** Why nothing runs; null: it does. */
  safe: string | null
  /** Null until it is told. */
  holds: HoldsView | null
  shed: Shed
  /** Null until it is told. */
  storage: UpkeepView | null
  live: boolean
  /** When the line to the box broke, or was last there (epoch ms); null: it stands. */
  away: number | null
  /** How often everything was told anew: what was asked for before may be old. */
  told: number
  zone: string
  /** Camera roles of the site. */
  roles: string[]
  /** There are runs older than those in `runs`: what to ask for; null: none. */
  older: number | null
}

/** More than this is read page by page, not kept. */
const MAX_DETAILS = 20

export class Store {
  #state: State = {
    workflows: [],
    runs: [],
    questions: [],
    notices: [],
    olderNotices: null,
    details: new Map(),
    safe: null,
    holds: null,
    shed: {},
    storage: null,
    live: true,
    away: null,
    told: 0,
    roles: [],
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    older: null,
  }
  readonly #listeners = new Set<() => void>()
  /** Runs that are being asked for. */
  readonly #asked = new Set<number>()
  #listening: Listening | null = null

  get state(): State {
    return this.#state
  }

  /** Calls back after every change until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Listens to the box until the returned function is called. */
  start(): () => void {
    getSite().then(
      ({ time_zone, cameras = [], safe_mode: safe = null }) => {
        const roles = [...new Set(cameras.flatMap(camera => camera.roles))]
        this.#set({ zone: time_zone, roles, safe })
      },
      () => undefined,
    )
    const listening = listen({
      init: ({ workflows, runs, approvals, holds, shed, storage, notices: latest, unsettled }) => {
        const older = runs.length >= 50 ? (runs.at(-1)?.id ?? null) : null
        const questions = approvals.map(questionOf).reduce<Question[]>(withQuestion, [])
        const notices = withNotices(latest, unsettled)
        const olderNotices = latest.length >= 20 ? (latest.at(-1)?.id ?? null) : null
        const told = this.#state.told + 1
        this.#set({ notices, olderNotices })
        this.#set({ workflows, runs, questions, holds, shed, storage, older, told })
      },
      run: run => {
        this.#set({ runs: withRun(this.#state.runs, run), notices: settledBy(this.#state.notices, run) })
        if (this.#asked.delete(run.id) || this.#state.details.has(run.id)) this.keep(run)
      },
      step: ({ run, step }) => {
        const known = this.#state.details.get(run)
        if (!known) return
        const steps = known.steps.filter(({ seq }) => seq !== step.seq)
        this.keep({ ...known, steps: [...steps, step].sort((a, b) => a.seq - b.seq) })
      },
      notice: view => this.#set({ notices: withNotices(this.#state.notices, [view]) }),
      approval: view => this.keepQuestion(view),
      workflow: view => this.keepWorkflow(view),
      holds: view => this.keepHolds(view),
      keepalive: ({ shed, storage }) => this.#set({ shed, storage }),
      live: live => {
        if (live === this.#state.live) return
        this.#set({ live, away: live ? null : Date.now() })
      },
    })
    this.#listening = listening
    return () => listening.end()
  }

  /** Tries at once whether the box is there again. */
  again(): void {
    this.#listening?.again()
  }

  /** Asks for a run, unless the stream brings it first: that one is newer. */
  async load(id: number): Promise<void> {
    this.#asked.add(id)
    const run = await getRun(id)
    if (this.#asked.delete(id)) this.keep(run)
  }

  /** Keeps an opened run. */
  keep(run: RunView): void {
    const details = new Map(this.#state.details)
    details.delete(run.id)
    details.set(run.id, run)
    const [oldest] = details.keys()
    if (details.size > MAX_DETAILS && oldest !== undefined) details.delete(oldest)
    this.#set({ details })
  }

  keepHolds(holds: HoldsView): void {
    this.#set({ holds })
  }

  /** A person said whether a move happened. */
  keepSettled(run: RunView): void {
    this.#set({ notices: settledBy(this.#state.notices, run) })
    if (this.#state.details.has(run.id)) this.keep(run)
  }

  keepQuestion(view: ApprovalView): void {
    this.#set({ questions: withQuestion(this.#state.questions, questionOf(view)) })
  }

  keepWorkflow(view: WorkflowView): void {
    const { workflows } = this.#state
    const known = workflows.some(({ id }) => id === view.id)
    const kept = known ? workflows.map(it => (it.id === view.id ? view : it)) : [...workflows, view]
    this.#set({ workflows: kept.filter(({ removed }) => !removed) })
  }

  async loadOlderNotices(): Promise<void> {
    const { olderNotices } = this.#state
    if (olderNotices === null) return
    const page = await getNotices(olderNotices)
    this.#set({ notices: withNotices(this.#state.notices, page.notices), olderNotices: page.next })
  }

  async loadOlder(): Promise<void> {
    const { older } = this.#state
    if (older === null) return
    const page = await getRuns({ before: older })
    const known = new Set(this.#state.runs.map(({ id }) => id))
    this.#set({
      runs: [...this.#state.runs, ...page.runs.filter(({ id }) => !known.has(id))],
      older: page.next,
    })
  }

  #set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }
}

/** `runs` with `run` in its place: where it was, or as the newest. */
export function withRun(runs: readonly RunSummary[], run: RunSummary): RunSummary[] {
  if (runs.some(({ id }) => id === run.id)) return runs.map(it => (it.id === run.id ? run : it))
  return [run, ...runs].sort((a, b) => b.id - a.id)
}
