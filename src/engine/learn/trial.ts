import { parse, reread } from '../../contract/index.ts'
import { GatehouseError } from '../../core/index.ts'
import type { RunRow } from '../../store/index.ts'
import type { LearningApi } from '../api.ts'
import { discreet } from '../discreet.ts'
import type { EngineDeps } from '../ports.ts'
import { demandScope, isInScope } from '../reach.ts'
import type {
  CasesOutcome,
  ComparedEvent,
  MarkedCase,
  RunView,
  Tried,
  TriedEvent,
  TryOutcome,
  TryWatcher,
} from '../types.ts'
import { runView } from '../view.ts'
import type { Workflows } from '../workflows.ts'
import { inForce } from './accuracy.ts'
import type { Alone } from './alone.ts'
import type { CaseSet, CaseSetParts } from './case-set.ts'
import { isFlipped, triedOf } from './compare.ts'
import { type Judge, judgesElse, judgesOf } from './judge.ts'
import { replay } from './replay.ts'
import type { Shadows } from './shadow.ts'
import { type TemplateSet, tryTemplate } from './template.ts'
import { type StoredEvent, storedEventOf, storedEvents } from './trial-events.ts'

const MOST_EVENTS = 20
/** Marked runs that are looked through for those that were judged in another way. */
const MOST_MARKED = 200
/** All events of one try together. */
const BUDGET_MS = 120_000
/** The same where somebody watches, and may end it. */
const WATCHED_MS = 600_000
/** What says nothing of how an event is taken. */
const OPEN: ReadonlySet<string> = new Set(['no_picture', 'over_budget'])

/**
 * Tries a file on events of the past. Each goes through an engine of its own over a database that is thrown away:
 * in Test, at the time at which it came, with the pictures of then and with nothing to reach the world by. So no limit
 * is used up, no row of the box changes, and waits are skipped.
 */
export class Trials {
  readonly #deps: EngineDeps
  readonly #workflows: Workflows
  readonly #shadows: Shadows
  readonly #parts: { alone: Alone; set: CaseSet }

  /** `set`: the cases that people made. */
  constructor({ deps, workflows, shadows, alone }: CaseSetParts, set: CaseSet) {
    this.#deps = deps
    this.#workflows = workflows
    this.#shadows = shadows
    this.#parts = { alone, set }
  }

  /** `id`: a saved workflow; `yaml`: a draft, of that workflow or of none. Throws `try_busy`, `workflow_unknown`. */
  async run({ id, yaml, reach, watcher }: Parameters<LearningApi['try']>[0]): Promise<TryOutcome> {
    const { store, clock } = this.#deps
    const loaded = id === undefined ? null : this.#workflows.known(id)
    const inForce = loaded && (store.versions.get(loaded.row.versionId)?.yaml ?? '')
    const text = yaml ?? inForce ?? ''
    const site = this.#deps.site()
    const scope = reach?.cameras ?? null
    const view = discreet(site.view(loaded?.row.slug), { scope, text, site })
    const { workflow, problems } = parse(text, { site: view })
    if (!workflow) return { ok: false, problems }
    if (reach) demandScope(workflow, reach, site)
    const seen = ({ event: { cameraId } }: StoredEvent) =>
      cameraId === null || isInScope(scope, cameraId, site)
    return this.#parts.alone.run(async () => {
      const found = storedEvents(workflow, id ?? null, store, site).filter(seen)
      const first = someOf(found, MOST_EVENTS)
      watcher?.begins({ trigger: workflow.when.kind, of: first.length, version: loaded?.number ?? null })
      const tried: TriedEvent[] = []
      const until = clock.now() + (watcher ? WATCHED_MS : BUDGET_MS)
      for (const stored of chain(first, found)) {
        if (tried.length >= MOST_EVENTS || watcher?.signal.aborted) break
        const files = { yaml: text, saved: loaded && { yaml: inForce ?? '', version: loaded.row.versionId } }
        const one = await this.#tried(stored, files, () => until - clock.now(), watcher)
        if (watcher?.signal.aborted) break
        if (one) tried.push(one)
        if (one?.kept_out?.code === 'over_budget') break
      }
      const note = tried.length ? null : 'No event that is kept would have started it.'
      return { ok: true, tried, flipped: tried.filter(({ flipped }) => flipped).length, note }
    })
  }

  /** Null: it starts nothing now and started nothing then, which tells nobody anything. */
  async #tried(
    stored: StoredEvent,
    { yaml, saved }: { yaml: string; saved: Saved | null },
    left: () => number,
    watcher: TryWatcher | undefined,
  ): Promise<TriedEvent | null> {
    const { one, view } = await this.#one(stored, yaml, left(), watcher?.signal)
    if (!watcher) return one.now || one.then || one.kept_out?.code !== 'guard' ? one : null
    const beside = saved && (await this.#beside(stored, { yaml, saved, view }, left(), watcher.signal))
    if (watcher.signal.aborted) return null
    if (!one.now && !beside?.view && one.kept_out?.code === 'guard') return null
    const before = beside?.view ?? null
    const turned = before ? isFlipped(before, view, one.kept_out) : beside?.nothing ? view !== null : null
    const compared: ComparedEvent = { ...one, flipped: turned, saved: beside?.tried ?? null, trace: view }
    watcher.tried(compared)
    return compared
  }

  /** What the version in force makes of it: what it did then, where it was that version; else it is tried as well. */
  async #beside(
    { event, then, source }: StoredEvent,
    { yaml, saved, view }: { yaml: string; saved: Saved; view: RunView | null },
    left: number,
    signal: AbortSignal,
  ): Promise<Beside> {
    if (then?.versionId === saved.version) return besideOf(runView(then, this.#deps.store), true)
    if (saved.yaml === yaml) return besideOf(view, false)
    if (left <= 0) return { view: null, tried: null, nothing: false }
    const outcome = await this.#play({ event, source }, saved.yaml, left, signal).catch((error: unknown) => {
      // A version that does not hold here any more is nothing to compare with.
      if (error instanceof GatehouseError) return null
      throw error
    })
    if (outcome && 'steps' in outcome) return besideOf(outcome, false)
    return { view: null, tried: null, nothing: outcome !== null && !OPEN.has(outcome.code) }
  }

  /** Whether a file has cases. One that is not understood has none. */
  hasCases(id: number, yaml: string): boolean {
    return (
      this.#casesOf(id, yaml).length > 0 ||
      this.#setOf(id, yaml) !== null ||
      this.#parts.set.open(id, yaml).length > 0
    )
  }

  /**
   * What a file makes of the cases of a workflow: the runs that people marked, where it judges in another way than they
   * were judged, newest first (those whose pictures are gone say so), those that people made for it, and those that
   * came with its template, where it judges in another way than that. Throws `try_busy`.
   */
  async cases(id: number, yaml: string): Promise<CasesOutcome> {
    const { store, clock } = this.#deps
    const runs = this.#casesOf(id, yaml)
    const set = this.#setOf(id, yaml)
    const workflow = reread(yaml)
    const made = this.#parts.set.open(id, yaml)
    const tried: MarkedCase[] = []
    const outcome: CasesOutcome = { tried, worse: 0, better: 0 }
    if (!runs.length && !set && !made.length) return outcome
    return this.#parts.alone.run(async () => {
      const until = clock.now() + BUDGET_MS
      const left = () => until - clock.now()
      if (made.length) outcome.own = await this.#parts.set.tried(made, yaml, left)
      for (const run of runs.slice(0, MOST_EVENTS)) {
        const { one } = await this.#one(storedEventOf(run), yaml, left())
        const right = inForce(store.marks.ofRun(run.id)).every(({ correct }) => correct)
        tried.push({ ...one, marked: right ? 'right' : 'wrong' })
      }
      if (set && workflow) outcome.template = await tryTemplate(set, { yaml, workflow }, this.#shadows, left)
      const flipped = (word: MarkedCase['marked']) => tried.filter(one => one.flipped && one.marked === word)
      return Object.assign(outcome, { worse: flipped('right').length, better: flipped('wrong').length })
    })
  }

  /** The cases of the template that a workflow was made from, where the file judges in another way than that. */
  #setOf(id: number, yaml: string): TemplateSet | null {
    const set = this.#deps.templates?.find(this.#workflows.known(id).row.slug) ?? null
    const workflow = set && reread(yaml)
    return set && workflow && judgesElse(workflow, set.workflow) ? set : null
  }

  #casesOf(id: number, yaml: string): RunRow[] {
    const { store } = this.#deps
    const workflow = reread(yaml)
    const judges = workflow ? judgesOf(workflow) : []
    const marked = judges.length ? store.marks.runsOf(id, MOST_MARKED) : []
    return marked
      .flatMap(run => store.runs.get(run) ?? [])
      .filter(run => !store.cases.ofRun(id, run.id) && this.#judgedElse(run, judges))
  }

  /** Whether a run was judged by another AI step than the ones that judge now. */
  #judgedElse(run: RunRow, judges: readonly Judge[]): boolean {
    const workflow = reread(this.#deps.store.versions.get(run.versionId)?.yaml ?? '')
    const then = new Set(workflow ? judgesOf(workflow).map(({ judge }) => judge) : [])
    return judges.some(({ judge }) => !then.has(judge))
  }

  async #one(
    { event, then, source }: StoredEvent,
    yaml: string,
    left: number,
    signal?: AbortSignal,
  ): Promise<{ one: TriedEvent; view: RunView | null }> {
    const { store } = this.#deps
    const before = then && runView(then, store)
    const about = {
      id: event.id,
      kind: event.kind,
      at: new Date(event.at).toISOString(),
      camera: event.cameraId,
    }
    const outcome = left <= 0 ? null : await this.#play({ event, source }, yaml, left, signal)
    const now = outcome && 'steps' in outcome ? outcome : null
    const keptOut = now
      ? null
      : ((outcome as TriedEvent['kept_out']) ?? overBudget(signal ? WATCHED_MS : BUDGET_MS))
    const one: TriedEvent = {
      event: { ...about, run: source.id, picture: store.media.shownOf(source.id) },
      then: before && triedOf(before),
      now: now && { ...triedOf(now), run: null, version: null },
      kept_out: keptOut,
      flipped: before && left > 0 ? isFlipped(before, now, keptOut) : null,
    }
    return { one, view: now }
  }

  #play(
    { event, source }: Pick<StoredEvent, 'event' | 'source'>,
    yaml: string,
    left: number,
    signal?: AbortSignal,
  ) {
    const media = this.#deps.store.media.ofRun(source.id)
    const mediaOf = (hash: string) => media.find(row => row.hash === hash)?.id ?? null
    const pictures = media.map(({ hash, takenAt, source: from, stepId, createdAt }) => ({
      hash,
      takenAt,
      source: from,
      shotAt: stepId === null ? null : createdAt,
    }))
    const happened = { event, startedAt: source.startedAt, pictures }
    return replay(happened, yaml, { deps: this.#deps, shadows: this.#shadows }, { left, signal, mediaOf })
  }
}

const overBudget = (ms: number) => ({
  code: 'over_budget',
  message: `All tries together may take ${ms / 1000} s.`,
})

/** The version in force. */
interface Saved {
  yaml: string
  /** Row id. */
  version: number
}

/** What it makes of an event. `nothing`: it is known to start nothing. */
interface Beside {
  view: RunView | null
  tried: Tried | null
  nothing: boolean
}

function besideOf(view: RunView | null, ran: boolean): Beside {
  const tried = view && triedOf(view)
  return { view, tried: tried && (ran ? tried : { ...tried, run: null, version: null }), nothing: !view }
}

/** The first of them; the others can still be asked for. */
function someOf<T>(all: Iterator<T>, most: number): T[] {
  const some: T[] = []
  while (some.length < most) {
    const next = all.next()
    if (next.done) break
    some.push(next.value)
  }
  return some
}

function* chain<T>(first: readonly T[], rest: Iterable<T>): Generator<T> {
  yield* first
  yield* rest
}
