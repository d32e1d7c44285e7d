import { parse, reread } from '../../contract/index.ts'
import { type Clock, GatehouseError, type Picture } from '../../core/index.ts'
import type { Cameras } from '../../kinds/index.ts'
import type { MediaRow, RunRow } from '../../store/index.ts'
import type { EngineDeps } from '../ports.ts'
import { demandScope, isInScope, type Reach } from '../reach.ts'
import { recordsOf } from '../steps/tool-room.ts'
import type { CasesOutcome, MarkedCase, RunView, TemplateOutcome, TriedEvent, TryOutcome } from '../types.ts'
import { runView } from '../view.ts'
import type { Workflows } from '../workflows.ts'
import { inForce } from './accuracy.ts'
import { isFlipped, triedOf } from './compare.ts'
import { type Judge, judgesElse, judgesOf } from './judge.ts'
import { type Shadow, Shadows } from './shadow.ts'
import { type TemplateSet, tryTemplate } from './template.ts'
import { type StoredEvent, storedEventOf, storedEvents } from './trial-events.ts'

const MOST_EVENTS = 20
/** Marked runs that are looked through for those that were judged in another way. */
const MOST_MARKED = 200
/** All events of one try together. */
const BUDGET_MS = 120_000

/**
 * Tries a file on events of the past. Each goes through an engine of its own over a database that is thrown away:
 * in Test, at the time at which it came, with the pictures of then and with nothing to reach the world by. So no limit
 * is used up, no row of the box changes, and waits are skipped.
 */
export class Trials {
  readonly #deps: EngineDeps
  readonly #workflows: Workflows
  readonly #shadows: Shadows
  #busy = false

  constructor(deps: EngineDeps, workflows: Workflows, make: (deps: EngineDeps) => Shadow) {
    this.#deps = deps
    this.#workflows = workflows
    this.#shadows = new Shadows(deps, make)
  }

  /** `id`: a saved workflow; `yaml`: a draft, of that workflow or of none. Throws `try_busy`, `workflow_unknown`. */
  async run({ id, yaml, reach }: { id?: number; yaml?: string; reach?: Reach }): Promise<TryOutcome> {
    const { store } = this.#deps
    const loaded = id === undefined ? null : this.#workflows.known(id)
    const text = yaml ?? store.versions.get(loaded?.row.versionId ?? 0)?.yaml ?? ''
    const site = this.#deps.site()
    const { workflow, problems } = parse(text, { site: site.view(loaded?.row.slug) })
    if (!workflow) return { ok: false, problems }
    if (reach) demandScope(workflow, reach, site)
    const seen = ({ event: { cameraId } }: StoredEvent) =>
      cameraId === null || isInScope(reach?.cameras ?? null, cameraId, site)
    return this.#alone(async () => {
      const tried: TriedEvent[] = []
      const until = this.#deps.clock.now() + BUDGET_MS
      for (const stored of storedEvents(workflow, id ?? null, store, site)) {
        if (tried.length >= MOST_EVENTS) break
        if (!seen(stored)) continue
        const left = until - this.#deps.clock.now()
        const one = await this.#one(stored, text, left)
        // What starts nothing now and started nothing then tells nobody anything.
        if (one.now || one.then || one.kept_out?.code !== 'guard') tried.push(one)
        if (one.kept_out?.code === 'over_budget') break
      }
      const note = tried.length ? null : 'No event that is kept would have started it.'
      return { ok: true, tried, flipped: tried.filter(({ flipped }) => flipped).length, note }
    })
  }

  /** Whether a file has cases. One that is not understood has none. */
  hasCases(id: number, yaml: string): boolean {
    return this.#casesOf(id, yaml).length > 0 || this.#setOf(id, yaml) !== null
  }

  /**
   * What a file makes of the cases of a workflow: the runs that people marked, where it judges in another way than they
   * were judged, newest first (those whose pictures are gone say so), and those that came with its template, where it
   * judges in another way than that. Throws `try_busy`.
   */
  async cases(id: number, yaml: string): Promise<CasesOutcome> {
    const { store, clock } = this.#deps
    const runs = this.#casesOf(id, yaml)
    const set = this.#setOf(id, yaml)
    const workflow = reread(yaml)
    const tried: MarkedCase[] = []
    let template: TemplateOutcome | null = null
    if (runs.length || set) {
      await this.#alone(async () => {
        const until = clock.now() + BUDGET_MS
        for (const run of runs.slice(0, MOST_EVENTS)) {
          const one = await this.#one(storedEventOf(run), yaml, until - clock.now())
          const right = inForce(store.marks.ofRun(run.id)).every(({ correct }) => correct)
          tried.push({ ...one, marked: right ? 'right' : 'wrong' })
        }
        if (set && workflow)
          template = await tryTemplate(set, { yaml, workflow }, this.#shadows, () => until - clock.now())
      })
    }
    const flipped = (word: MarkedCase['marked']) => tried.filter(one => one.flipped && one.marked === word)
    const outcome = { tried, worse: flipped('right').length, better: flipped('wrong').length }
    return template ? { ...outcome, template } : outcome
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
    return marked.flatMap(run => store.runs.get(run) ?? []).filter(run => this.#judgedElse(run, judges))
  }

  /** Whether a run was judged by another AI step than the ones that judge now. */
  #judgedElse(run: RunRow, judges: readonly Judge[]): boolean {
    const workflow = reread(this.#deps.store.versions.get(run.versionId)?.yaml ?? '')
    const then = new Set(workflow ? judgesOf(workflow).map(({ judge }) => judge) : [])
    return judges.some(({ judge }) => !then.has(judge))
  }

  /** One file at a time: each try takes the models for itself. */
  async #alone<T>(work: () => Promise<T>): Promise<T> {
    if (this.#busy)
      throw new GatehouseError('try_busy', 'Another file is being tried: wait until that is done.', {
        status: 409,
      })
    this.#busy = true
    try {
      return await work()
    } finally {
      this.#busy = false
    }
  }

  async #one({ event, then, source }: StoredEvent, yaml: string, left: number): Promise<TriedEvent> {
    const { store } = this.#deps
    const before = then && runView(then, store)
    const about = {
      id: event.id,
      kind: event.kind,
      at: new Date(event.at).toISOString(),
      camera: event.cameraId,
    }
    const answer = (now: RunView | null, keptOut: TriedEvent['kept_out']): TriedEvent => ({
      event: { ...about, run: source.id },
      then: before && triedOf(before),
      now: now && { ...triedOf(now), run: null, version: null },
      kept_out: keptOut,
      flipped: before ? isFlipped(before, now, keptOut) : null,
    })
    if (left <= 0) return answer(null, overBudget())
    const media = store.media.ofRun(source.id)
    const pictures = await this.#pictures(media.filter(({ stepId }) => stepId === null))
    const shot = media.filter(({ stepId }) => stepId !== null)
    const taken = await this.#pictures(shot)
    if (!pictures || !taken) {
      return answer(null, { code: 'no_picture', message: 'Its pictures are not kept any more.' })
    }
    const shots = taken.map((picture, i) => ({ picture, storedAt: shot[i]?.createdAt ?? source.startedAt }))
    const outcome = await this.#shadows.play(yaml, { ...event, pictures }, left, {
      startedAt: source.startedAt,
      site: this.#deps.site(),
      cameras: clock => camerasOf(shots, clock),
      // What is looked up is looked up here; nobody reaches for a camera of today.
      records: recordsOf(this.#deps),
    })
    if (outcome === null) return answer(null, overBudget())
    if ('code' in outcome) return answer(null, outcome)
    return answer(outcome, null)
  }

  /** Null where one of them is gone. */
  async #pictures(rows: MediaRow[]): Promise<Picture[] | null> {
    const found: Picture[] = []
    for (const { hash, takenAt, source } of rows) {
      const bytes = await this.#deps.media.read(hash)
      if (!bytes) return null
      found.push({ bytes, takenAt, source })
    }
    return found
  }
}

const overBudget = () => ({
  code: 'over_budget',
  message: `All tries together may take ${BUDGET_MS / 1000} s.`,
})

/** A picture that a step had a camera give, and when. */
interface Shot {
  picture: Picture
  storedAt: number
}

/**
 * The cameras of then: each gives what was taken of it, one after the other, the last one again and again, as old as
 * it was when it was given.
 */
function camerasOf(shots: Shot[], clock: Clock): Cameras {
  const given = new Map<string, number>()
  return {
    snapshot: async cameraId => {
      const own = shots.filter(({ picture }) => picture.source === `camera ${cameraId}`)
      const n = given.get(cameraId) ?? 0
      given.set(cameraId, n + 1)
      const shot = own[Math.min(n, own.length - 1)]
      if (!shot) throw new GatehouseError('camera_offline', `no picture of camera ${cameraId} was kept`)
      const { picture, storedAt } = shot
      const { takenAt } = picture
      return { ...picture, takenAt: takenAt === null ? null : clock.now() - (storedAt - takenAt) }
    },
  }
}
