import { GatehouseError, type IncomingEvent } from '../core/index.ts'
import { Admit, type Admitted, dated, isForLackOfRoom, isFresh, type Refusal, refusal } from './admit.ts'
import type { Approvals } from './approvals.ts'
import { cameraNote } from './facts.ts'
import type { Holds } from './holds.ts'
import type { Upkeep } from './keep/upkeep.ts'
import { Memory, payloadToKeep } from './memory.ts'
import type { EngineDeps } from './ports.ts'
import { Presses } from './presses.ts'
import type { Runs } from './runs.ts'
import { SCHEDULE, type Schedules } from './schedules.ts'
import { Seen } from './seen.ts'
import type { Admission } from './types.ts'
import type { Workflows } from './workflows.ts'

/** Runs at work at the same time; more than that is shed. */
const MOST_RUNS = 512
/** Triggers of which a second one is no repeat of the first: a time, and what somebody else may have written. */
const NEVER_JOIN: ReadonlySet<string> = new Set([SCHEDULE, 'message'])

/** What an event meets on its way to a run. */
export interface IntakeParts {
  workflows: Workflows
  holds: Pick<Holds, 'snoozed'>
  upkeep: Pick<Upkeep, 'full'>
  runs: Runs
  approvals: Approvals
  schedules: Schedules
}

/** Takes events in: each becomes a run, waits its turn, joins what is going on, or is left out and counted. */
export class Intake {
  readonly presses: Presses
  readonly #deps: EngineDeps
  readonly #parts: IntakeParts
  readonly #admit: Admit
  readonly #memory: Memory
  readonly #seen: Seen
  readonly #shed: Record<string, number> = {}

  constructor(deps: EngineDeps, parts: IntakeParts) {
    this.#deps = deps
    this.#parts = parts
    const { workflows, holds, runs } = parts
    const isBusy = (key: string) => runs.holder(key) !== undefined
    this.#admit = new Admit(deps, workflows, holds, isBusy)
    this.presses = new Presses(deps, { isBusy, begin: (event, take) => this.#press(event, take) })
    this.#memory = new Memory(deps.store)
    this.#seen = new Seen(deps.store)
  }

  /** Offers an event to every workflow that its trigger fits. */
  async submit(incoming: IncomingEvent): Promise<Admission[]> {
    const event = dated(incoming, this.#deps.clock.now())
    const admissions = await this.#offer(event)
    const payload = payloadToKeep(event, this.#parts.workflows)
    const settled = admissions.every(({ run, reason }) => run === null && !isForLackOfRoom(reason))
    if (payload !== null && settled && isFresh(event, this.#deps.clock.now()))
      await this.#memory.keep(event, payload)
    return admissions
  }

  /** What was left out since the start, by reason. */
  shed(): Record<string, number> {
    return { ...this.#shed }
  }

  /** Something was left out; what waits its turn, or joined what is going on, was not. */
  count(code: string): void {
    if (code === 'queued' || code === 'joined') return
    this.#shed[code] = (this.#shed[code] ?? 0) + 1
  }

  async #offer(event: IncomingEvent): Promise<Admission[]> {
    const candidates = this.#admit.candidates(event)
    if (!candidates.length) return []
    const isNews = this.#seen.take(event)
    const odd = cameraNote(event.cameraId, this.#deps.site())
    const note = odd === null ? {} : { note: odd }
    return Promise.all(
      candidates.map(async ({ loaded, values }): Promise<Admission> => {
        const workflow = loaded.row.slug
        const admitted = isNews(loaded.row.id)
          ? this.#admit.weigh(event, loaded, values)
          : refusal('seen', 'This event was taken before.')
        const answer = 'code' in admitted ? admitted : await this.#start(admitted, null)
        if (typeof answer === 'number') return { workflow, run: answer, reason: null, ...note }
        this.count(answer.code)
        return { workflow, run: null, reason: answer, ...note }
      }),
    )
  }

  /** The time of a schedule has come. */
  async scheduled(event: IncomingEvent, take: () => void): Promise<number | Refusal> {
    const [candidate] = this.#admit.candidates(event)
    if (!candidate || !this.#seen.take(event)(candidate.loaded.row.id))
      return refusal('seen', 'This time was taken before.')
    const admitted = this.#admit.weigh(event, candidate.loaded, candidate.values)
    const answer = 'code' in admitted ? admitted : await this.#start(admitted, take)
    // What there is no room for is not left out: it is asked again until its grace is over.
    if (typeof answer !== 'number' && !isForLackOfRoom(answer)) this.count(answer.code)
    return answer
  }

  /**
   * Starts a run, or says which limit keeps it out. A known person's press and a schedule wait for the run before
   * them. `take`: the event had a row; what the commit that takes it on does with that.
   */
  async #start(admitted: Admitted, take: (() => void) | null, hadTurn = false): Promise<number | Refusal> {
    const { event } = admitted
    if (!hadTurn && this.#parts.upkeep.full !== null)
      return this.#noRoom(admitted, 'disk_low', this.#parts.upkeep.full)
    const patient = (event.kind === 'button' && event.by !== null) || event.kind === SCHEDULE
    const limit = this.#admit.limit(admitted, patient)
    if (limit?.code === 'busy' && !hadTurn) return this.#heldUp(admitted, limit, patient, take)
    if (limit) return limit
    if (this.#parts.runs.size >= (this.#deps.options?.mostRuns ?? MOST_RUNS))
      return this.#noRoom(
        admitted,
        'queue_full',
        `${this.#parts.runs.size} runs are at work: this one was left out.`,
      )
    try {
      return await this.#parts.runs.begin(admitted, take, () => this.#seen.owed(event))
    } catch (error) {
      this.#seen.owe(event, admitted.loaded.row.id)
      throw error
    }
  }

  /** Whoever sends it again shall be heard. */
  #noRoom({ event, loaded }: Admitted, code: 'disk_low' | 'queue_full', why: string): Refusal {
    this.#seen.owe(event, loaded.row.id)
    return refusal(code, why)
  }

  /**
   * A run for the same is going on. A repeat of what that run asks people joins it; other than that a known
   * person's press and a schedule wait their turn, and what comes besides is counted.
   */
  async #heldUp(
    admitted: Admitted,
    limit: Refusal,
    patient: boolean,
    take: (() => void) | null,
  ): Promise<Refusal> {
    const { store } = this.#deps
    const run = await this.#parts.runs.holder(admitted.key)?.catch(() => undefined)
    const joins = run !== undefined && !NEVER_JOIN.has(admitted.event.kind)
    const asked = joins ? await this.#parts.approvals.join(run, admitted) : null
    if (asked?.code === 'joined') return asked
    const queued = patient ? await this.presses.queue(admitted, take) : limit
    if (queued.code !== 'busy') return queued
    if (run !== undefined && !asked) await store.write(() => store.runs.seenAgain(run))
    return asked ?? queued
  }

  /** The turn of a press, or of a schedule, that waited. */
  async #press(event: IncomingEvent, take: () => void): Promise<boolean> {
    for (const { loaded, values } of this.#admit.candidates(event)) {
      if (this.#parts.schedules.isTooLate(loaded, event)) {
        await this.#parts.schedules.missed(loaded, event, take)
        return false
      }
      const admitted = this.#admit.weigh(event, loaded, values)
      const answer = 'code' in admitted ? admitted : await this.#start(admitted, take, true)
      if (typeof answer === 'number') return true
      if (answer.code === 'busy' || answer.code === 'queue_full')
        throw new GatehouseError(answer.code, answer.message)
      this.count(answer.code)
      this.#deps.log.info(
        { workflow: loaded.row.slug, reason: answer.code },
        'a press that waited is not carried out',
      )
    }
    return false
  }
}
