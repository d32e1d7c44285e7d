import type { TriggerKind } from '../contract/index.ts'
import type { IncomingEvent } from '../core/index.ts'
import { holds, triggers, type Values } from '../kinds/index.ts'
import { busyKey } from './busy-key.ts'
import { siteView } from './context.ts'
import type { Holds } from './holds.ts'
import type { EngineDeps } from './ports.ts'
import type { Program } from './program.ts'
import { camerasOf, isInScope, scopeOf, stepsBeyond } from './reach.ts'
import { taintOf } from './taint.ts'
import type { Admission, RefusalCode } from './types.ts'
import { waitsFor } from './waits-for.ts'
import type { Loaded, Workflows } from './workflows.ts'

/** An event that was observed longer ago starts nothing: it is late, or somebody replays it. */
const FRESH_MS = 5 * 60_000
/** No date lies further from 1970 than this, in ms. */
const LAST_DATE = 8.64e15
/** Workflows that led to an event, the one that it would start included. */
const MOST_IN_CHAIN = 3
/** Why an event starts no run of a workflow: a stable code, and one sentence for people. */
export type Refusal = NonNullable<Admission['reason']>

/** An event that may start a run of a workflow. */
export interface Admitted {
  loaded: Loaded
  program: Program
  event: IncomingEvent
  values: Values
  taint: string[]
  key: string
}

/** Decides which workflows an event starts: state, freshness, repeats, chains, guards, then limits. */
export class Admit {
  readonly #deps: EngineDeps
  readonly #workflows: Workflows
  readonly #holds: Pick<Holds, 'snoozed'>
  readonly #isBusy: (key: string) => boolean

  constructor(
    deps: EngineDeps,
    workflows: Workflows,
    holds: Pick<Holds, 'snoozed'>,
    isBusy: (key: string) => boolean,
  ) {
    this.#deps = deps
    this.#workflows = workflows
    this.#holds = holds
    this.#isBusy = isBusy
  }

  /** The workflows whose trigger the event fits, each with the values that it gives. */
  candidates(event: IncomingEvent): { loaded: Loaded; values: Values | null }[] {
    const site = this.#deps.site()
    const found: { loaded: Loaded; values: Values | null }[] = []
    const addressed = event.workflowId === null ? null : this.#workflows.get(event.workflowId)
    if (addressed === undefined) return found
    for (const loaded of addressed ? [addressed] : this.#workflows.all()) {
      const when = loaded.program?.workflow.when
      const trigger = when && triggerOf(when.kind)
      const values = trigger?.matches(when?.params ?? {}, event, site) ?? null
      if (values || addressed) found.push({ loaded, values })
    }
    return found
  }

  /** Whether a candidate may start, limits aside. */
  weigh(event: IncomingEvent, loaded: Loaded, values: Values | null): Admitted | Refusal {
    const { row, program } = loaded
    const now = this.#deps.clock.now()
    if (row.attention !== null || !program) {
      return refusal('needs_attention', row.attention ?? 'The stored file is not understood: save it again.')
    }
    if (!values) {
      const { when } = program.workflow
      return refusal('no_match', `${row.name} is not started by this: it waits for ${waitsFor(when)}.`)
    }
    if (row.state === 'off') return refusal('off', `${row.name} is Off.`)
    if (!isDirect(event) && !isFresh(event, now)) {
      const seconds = Math.round(Math.abs(now - event.at) / 1000)
      const side = event.at < now ? 'old' : 'ahead of this clock'
      return refusal('stale', `The event is ${seconds} s ${side}; at most ${FRESH_MS / 1000} s are taken.`)
    }
    const snoozed = isPress(event) ? null : this.#holds.snoozed(row.id, event.cameraId)
    if (snoozed) {
      const minutes = Math.ceil((snoozed.until - now) / 60_000)
      const what = snoozed.what === 'workflow' ? row.name : 'The camera'
      return refusal('snoozed', `${what} is snoozed for another ${minutes} min.`)
    }
    if (event.chain.includes(row.slug) || event.source === `workflow.${row.slug}`) {
      return refusal('own_alert', `${row.name} caused this itself.`)
    }
    if (event.chain.length >= MOST_IN_CHAIN) {
      return refusal(
        'chain',
        `${event.chain.length} workflows led here already; ${MOST_IN_CHAIN} are the most.`,
      )
    }
    const bound = this.#outOfScope(event, loaded, program)
    if (bound !== null) return refusal('out_of_scope', bound)
    if (!this.#guardsHold(event, loaded, values, now)) {
      return refusal('guard', 'The conditions of the file do not hold.')
    }
    const site = this.#deps.site()
    const taint = taintOf(program.workflow, event, siteView(site, row.slug))
    return {
      loaded,
      program,
      event,
      values,
      taint,
      key: busyKey(row.id, program.workflow, values, event.cameraId),
    }
  }

  /** Which limit keeps an admitted event out; null: none. `patient`: one that no limit drops, that only waits. */
  limit({ loaded, event, key }: Admitted, patient: boolean): Refusal | null {
    const { limits, row } = loaded
    const now = this.#deps.clock.now()
    if (this.#isBusy(key)) {
      const same =
        event.cameraId === null && limits.oneAtATime === 'camera' ? '' : ` for the same ${limits.oneAtATime}`
      return refusal('busy', `A run of ${row.name} is going on${same}.`)
    }
    if (patient) return null
    const left = limits.cooldownLeft(event.cameraId, now)
    if (left > 0)
      return refusal('cooldown', `${row.name} ran a moment ago; again in ${Math.ceil(left / 1000)} s.`)
    if (!limits.runs.hasRoom(now))
      return refusal('per_hour', `${row.name} ran ${limits.perHour} times in an hour.`)
    return null
  }

  /** Whoever saved the file may not see that camera, or what its steps look at; null: they may. */
  #outOfScope({ cameraId }: IncomingEvent, { row }: Loaded, program: Program): string | null {
    const scope = scopeOf(row.savedBy, this.#deps)
    if (scope === null) return null
    const site = this.#deps.site()
    const who = `Whoever saved ${row.name} may not see all of its cameras`
    if (cameraId !== null && !isInScope(scope, cameraId, site)) return `${who}, and not this one.`
    const why = stepsBeyond(scope, camerasOf(program).steps, site)
    return why === null ? null : `${who}: ${why}. An admin may save it again.`
  }

  #guardsHold(event: IncomingEvent, { program }: Loaded, values: Values, now: number): boolean {
    const conditions = program?.workflow.if ?? []
    if (!conditions.length) return true
    const ctx = {
      values: { ...values, ...prefixed(values) },
      now,
      site: this.#deps.site(),
      mode: this.#deps.siteMode.get(),
      identities: program?.identities ?? new Set<string>(),
      cameraId: event.cameraId,
      succeeded: () => false,
      startedAt: now,
    }
    return conditions.every(condition => holds(condition, ctx))
  }
}

/** Whether what was observed is news. */
export function isFresh({ at }: IncomingEvent, now: number): boolean {
  return Math.abs(now - at) <= FRESH_MS
}

/** Somebody or something asked directly, now: such an event is never late. A schedule has its own grace. */
function isDirect({ kind }: IncomingEvent): boolean {
  return kind === 'button' || kind === 'webhook' || kind === 'message' || kind === 'schedule'
}

/** Somebody known pressed: what holds back what comes by itself does not hold that. */
function isPress({ kind, by }: IncomingEvent): boolean {
  return kind === 'button' && by !== null
}

/** What was left out for that may be sent again. */
export function isForLackOfRoom(reason: Refusal | null): boolean {
  return reason?.code === 'queue_full' || reason?.code === 'disk_low'
}

/** The event with a date that is one: a direct one without is dated now, any other is stale as it is. */
export function dated(event: IncomingEvent, now: number): IncomingEvent {
  return isDirect(event) && !(Math.abs(event.at) <= LAST_DATE) ? { ...event, at: now } : event
}

/** What a repeat of an event has in common with it; an addressed one is a repeat for its workflow only. */
export function eventKey({ id, workflowId }: IncomingEvent): string {
  return workflowId === null ? id : `${workflowId} ${id}`
}

/** Makes one. */
export function refusal(code: RefusalCode, message: string): Refusal {
  return { code, message }
}

function triggerOf(kind: TriggerKind) {
  return Object.hasOwn(triggers, kind) ? triggers[kind as keyof typeof triggers] : null
}

function prefixed(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`trigger.${name}`, value]))
}
