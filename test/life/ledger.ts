/** What was promised during a life, and whether it was kept. */
import type { RunView, StepView } from '../../src/engine/index.ts'
import type { Arrival } from './servers.ts'

export class Ledger {
  /** Events that were sent to a server which keeps them, by id: when (site's time). */
  readonly events = new Map<string, number>()
  /** Runs that somebody was told of. */
  readonly promised = new Set<number>()
  /** Questions that somebody has answered, and was told so: run → reply. */
  readonly answers = new Map<number, string>()

  /** One line for each promise that was not kept. `runs`: all; `away`: when no event counted (site's time). */
  judge(runs: readonly RunView[], arrivals: readonly Arrival[], late: (at: number) => boolean): string[] {
    const byId = new Map(runs.map(run => [run.id, run]))
    return [
      ...this.#kept(runs, byId, late),
      ...runs.flatMap(run => [...open(run), ...moved(run, arrivals), ...told(run, arrivals)]),
    ]
  }

  #kept(runs: readonly RunView[], byId: Map<number, RunView>, late: (at: number) => boolean): string[] {
    const broken: string[] = []
    for (const id of this.promised) if (!byId.has(id)) broken.push(`run ${id} was promised and is not there`)
    const ofEvent = Map.groupBy(runs, run => String(run.trigger.event.id))
    for (const [id, at] of this.events) {
      const began = (ofEvent.get(id) ?? []).filter(run => run.workflow.slug === 'gate').length
      if (began > 1) broken.push(`event ${id} began ${began} runs`)
      if (began === 0 && !late(at)) broken.push(`event ${id} began no run`)
    }
    for (const [id, reply] of this.answers) {
      const asked = byId.get(id)?.steps.find(step => step.kind === 'ask_person')
      const answer = (asked?.result as { answer?: string } | null)?.answer
      if (answer !== reply) broken.push(`run ${id} was answered ${reply} and holds ${answer}`)
    }
    return broken
  }
}

function open({ id, status }: RunView): string[] {
  return status === 'running' || status === 'waiting' ? [`run ${id} is ${status} for good`] : []
}

const RUN = /^run_.+_(\d+)$/

/** What came of one run: the id of a run is the last part of its correlation id. */
const cameOf = (run: RunView, path: string, arrivals: readonly Arrival[]) =>
  arrivals.filter(each => each.path === path && RUN.exec(each.run)?.[1] === String(run.id))

const sent = (run: RunView, path: string) =>
  run.steps.filter(
    ({ kind, inputs }) => kind === 'webhook' && `/${(inputs as { to?: string } | null)?.to}` === path,
  )

/** What moves arrived once where it was done, once at most where nobody knows, and else not at all. */
function moved(run: RunView, arrivals: readonly Arrival[]): string[] {
  const steps = sent(run, '/barrier')
  const came = cameOf(run, '/barrier', arrivals).length
  // What a person has said of a move that nobody knew of is theirs to say.
  const isUnknown = ({ status, result }: StepView) =>
    status === 'unknown' || (result as { settled?: object } | null)?.settled !== undefined
  const unknown = steps.filter(isUnknown).length
  const done = steps.filter(step => step.status === 'done' && !isUnknown(step)).length
  return came < done || came > done + unknown
    ? [`run ${run.id} moved ${came} times where ${done} moves are done and ${unknown} unknown`]
    : []
}

/** What tells arrived under one id for each step, however often. */
function told(run: RunView, arrivals: readonly Arrival[]): string[] {
  const steps = sent(run, '/desk')
  const came = cameOf(run, '/desk', arrivals)
  const ids = new Set(came.map(({ delivery }) => delivery)).size
  const done = steps.filter(({ status }) => status === 'done').length
  return ids < done || ids > steps.length ? [`run ${run.id} told ${ids} times in ${steps.length} steps`] : []
}
