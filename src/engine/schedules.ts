import { parseDuration } from '../contract/index.ts'
import { type IncomingEvent, type JsonValue, messageOf } from '../core/index.ts'
import { localTime, nextOccurrence, triggers } from '../kinds/index.ts'
import type { DueRow } from '../store/index.ts'
import { isForLackOfRoom, type Refusal } from './admit.ts'
import { factsOf } from './facts.ts'
import type { EngineDeps } from './ports.ts'
import type { Program } from './program.ts'
import type { Loaded, Workflows } from './workflows.ts'

/** The kind of `due` row that holds when a workflow's schedule runs next: one per workflow. */
export const SCHEDULE = 'schedule'
/** How late a scheduled time may still run where the file does not say. */
const GRACE_MS = 10 * 60_000
const MINUTE_MS = 60_000
/** Times within a grace that are looked through for the latest. */
const MOST_TIMES = 10_000
/** The rows are compared with clock and time zone this often: both may change under a running box. */
const COMPARE_MS = 60_000

/** What schedules ask of the engine, and tell it. */
export interface SchedulesHooks {
  /** Offers the event; `take` belongs into the commit that takes it on. */
  begin(event: IncomingEvent, take: () => void): Promise<number | Refusal>
  /** A run was recorded as missed. */
  onMissed(run: number): void
  /** Rows came or went. */
  onArmed(): void
}

/**
 * Keeps the schedules: for each workflow in Test or On a row with its next time. What was missed while the box
 * was down, or while its clock stood wrong, runs once if it is within its grace (of several times the latest), else it
 * is recorded as a run that failed; then the next time is the first one from now on, so no leap of the clock makes a
 * storm.
 */
export class Schedules {
  readonly #deps: EngineDeps
  readonly #workflows: Workflows
  readonly #hooks: SchedulesHooks
  /** Rows whose time has come and that are being seen to. */
  readonly #ringing = new Set<number>()
  readonly #next = new Map<number, number>()
  #cancel: (() => void) | null = null

  constructor(deps: EngineDeps, workflows: Workflows, hooks: SchedulesHooks) {
    this.#deps = deps
    this.#workflows = workflows
    this.#hooks = hooks
  }

  async start(): Promise<void> {
    await this.#compare()
    this.#watch()
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = null
  }

  /** When a workflow runs next by its schedule (epoch ms), or null. */
  nextOf(workflowId: number): number | null {
    return this.#next.get(workflowId) ?? null
  }

  /** A workflow was saved, set to another state, stands still or goes on: its row follows. */
  async arm(loaded: Loaded): Promise<void> {
    const { id } = loaded.row
    const wanted = this.#wanted(loaded)
    if (wanted === null && !this.#next.has(id)) return
    this.#note(id, wanted)
    await this.#deps.store.write(() => this.#put(id, wanted, this.#rows().get(id) ?? []))
    this.#hooks.onArmed()
  }

  /** A row's time has come. */
  ring(row: DueRow): void {
    if (this.#ringing.has(row.id)) return
    this.#ringing.add(row.id)
    this.#due(row)
      .catch(error =>
        this.#deps.log.error({ error: messageOf(error) }, 'a schedule could not be kept; it is tried again'),
      )
      .finally(() => this.#ringing.delete(row.id))
  }

  /** Whether a scheduled time lies too far back to be run now. */
  isTooLate({ program }: Loaded, event: IncomingEvent): boolean {
    if (event.kind !== SCHEDULE) return false
    return this.#deps.clock.now() - event.at > graceOf(program)
  }

  /** Records a scheduled time that was not run, where people see it: among the runs. */
  async missed(loaded: Loaded, event: IncomingEvent, take: () => void): Promise<void> {
    const { store, clock, site, log } = this.#deps
    const now = clock.now()
    const { timeZone } = site()
    const smallestUnit = now - event.at < 3 * MINUTE_MS ? 'second' : 'minute'
    const [due, seen] = [event.at, now].map(at =>
      localTime(at, timeZone).toPlainDateTime().toString({ smallestUnit }).replace('T', ' '),
    )
    const next = this.#after(loaded, event.at)
    const again = next !== null && now - next > graceOf(loaded.program) ? ', as were times after it,' : ''
    const why = `Missed: it was due at ${due}${again} and could not begin before ${seen}, later than its grace allows.`
    const values = triggers.schedule.matches({}, event, site()) ?? {}
    const run = await store.write(() => {
      take()
      const facts = factsOf({ loaded, event }, now, site())
      const id = store.runs.insert({ ...facts, workflowId: loaded.row.id, values })
      store.runs.end(id, 'failed', now, why)
      return id
    })
    log.warn({ workflow: loaded.row.slug, due }, 'a scheduled time was missed')
    this.#hooks.onMissed(run)
  }

  async #due(row: DueRow): Promise<void> {
    const { store, log } = this.#deps
    const loaded = this.#workflows.get(workflowOf(row))
    const next = loaded ? this.#wanted(loaded) : null
    const onTo = (at: number | null) => () => {
      if (at === null) store.due.remove(row.id)
      else store.due.move(row.id, at, row.payload)
    }
    const take = onTo(next)
    if (loaded && next !== null) {
      const event = eventFor(loaded, row.at)
      if (this.isTooLate(loaded, event)) {
        // A later time may still be within its grace: it is next.
        await this.missed(loaded, event, onTo(this.#inGrace(loaded) ?? next))
      } else {
        const answer = await this.#hooks.begin(event, take)
        // The box has too much to do, or no room: the row stays, and is asked again in a moment.
        if (typeof answer !== 'number' && isForLackOfRoom(answer)) return
        if (typeof answer !== 'number' && answer.code !== 'queued') {
          log.info({ workflow: loaded.row.slug, reason: answer.code }, 'a scheduled time started nothing')
          await store.write(take)
        }
      }
    } else await store.write(take)
    if (loaded) this.#note(loaded.row.id, next)
    this.#hooks.onArmed()
  }

  /** The next time from now on; null where the workflow keeps no schedule as it stands. */
  #wanted(loaded: Loaded): number | null {
    if (loaded.row.state === 'off' || loaded.row.attention !== null) return null
    return this.#after(loaded, this.#deps.clock.now())
  }

  /** The latest time that has passed and may still be run; null: there is none. */
  #inGrace(loaded: Loaded): number | null {
    const now = this.#deps.clock.now()
    let latest: number | null = null
    let at = this.#after(loaded, now - graceOf(loaded.program) - 1)
    for (let n = 0; at !== null && at <= now && n < MOST_TIMES; n++) {
      latest = at
      at = this.#after(loaded, at)
    }
    return latest
  }

  #after({ row, program }: Loaded, after: number): number | null {
    const when = program?.workflow.when
    if (when?.kind !== SCHEDULE) return null
    return nextOccurrence(when.params, after, { timeZone: this.#deps.site().timeZone, anchor: row.createdAt })
  }

  /** Brings all rows to what clock, time zone and workflows say now; reads only where they do already. */
  async #compare(): Promise<void> {
    const { store, clock } = this.#deps
    const rows = this.#rows()
    const now = clock.now()
    const changes: (() => void)[] = []
    for (const loaded of this.#workflows.all()) {
      const { id } = loaded.row
      const wanted = this.#wanted(loaded)
      const have = rows.get(id) ?? []
      rows.delete(id)
      const [first, ...more] = have
      const stands = first ? first.at <= now || first.at === wanted : wanted === null
      this.#note(id, first && first.at <= now ? first.at : wanted)
      if (!more.length && stands && (wanted !== null || !first)) continue
      changes.push(() => this.#put(id, wanted, have))
    }
    for (const [, orphans] of rows) changes.push(() => this.#put(0, null, orphans))
    if (changes.length) {
      await store.write(() => {
        for (const change of changes) change()
      })
    }
    this.#hooks.onArmed()
  }

  /** Clock, time zone or rows may be others than they were. */
  compare(): void {
    this.#compare().catch(error =>
      this.#deps.log.error({ error: messageOf(error) }, 'schedules could not be compared'),
    )
  }

  #watch(): void {
    this.#cancel = this.#deps.clock.after(COMPARE_MS, () => {
      this.compare()
      this.#watch()
    })
  }

  /** One row at most; one that is overdue stays, for it has to run or to be recorded. */
  #put(workflowId: number, wanted: number | null, [first, ...more]: readonly DueRow[]): void {
    const { store, clock } = this.#deps
    for (const { id } of more) store.due.remove(id)
    if (wanted === null) {
      if (first) store.due.remove(first.id)
    } else if (!first) {
      const payload: JsonValue = { workflow: workflowId }
      store.due.add({ at: wanted, kind: SCHEDULE, runId: null, stepId: null, payload })
    } else if (first.at > clock.now() && first.at !== wanted) store.due.move(first.id, wanted, first.payload)
  }

  #rows(): Map<number, DueRow[]> {
    return Map.groupBy(this.#deps.store.due.ofBox(SCHEDULE), workflowOf)
  }

  #note(workflowId: number, at: number | null): void {
    if (at === null) this.#next.delete(workflowId)
    else this.#next.set(workflowId, at)
  }
}

function graceOf(program: Program | null): number {
  return parseDuration(String(program?.workflow.when.params.grace)) ?? GRACE_MS
}

function workflowOf({ payload }: DueRow): number {
  const { workflow } = (payload ?? {}) as { workflow?: number }
  return workflow ?? 0
}

/** The same time of the same workflow is the same event, however often the clock passes it. */
function eventFor({ row }: Loaded, at: number): IncomingEvent {
  return {
    kind: SCHEDULE,
    id: `schedule-${row.id}-${at}`,
    at,
    cameraId: null,
    schema: null,
    source: null,
    severity: null,
    payload: {},
    correlationId: null,
    chain: [],
    by: null,
    workflowId: row.id,
    pictures: [],
  }
}
