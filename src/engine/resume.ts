import { actionKind } from '../contract/index.ts'
import { GatehouseError } from '../core/index.ts'
import type { RunRow, StepRow } from '../store/index.ts'
import { busyKey } from './busy-key.ts'
import type { Waits } from './execute.ts'
import { hasRounds, inputsOf } from './loops.ts'
import { first, unexpected } from './plan.ts'
import type { EngineDeps } from './ports.ts'
import type { Node, Program } from './program.ts'
import { type Ended, Run } from './run.ts'
import type { Begun } from './step-rows.ts'
import { unknown } from './steps/action.ts'
import { HELD } from './steps/held.ts'
import { INVESTIGATE } from './steps/investigate.ts'
import { waitingKind } from './steps/waiting-kinds.ts'
import type { Loaded } from './workflows.ts'

/** How an unfinished run goes on. */
export type Way =
  | { go: 'on'; from: Node | null }
  /** A step that had begun and that may be done again. */
  | { go: 'again'; begun: Begun }
  /** A move that had begun: nobody knows whether it happened. */
  | { go: 'lost'; begun: Begun; ended: Ended }
  /** A step that waits, and whose time has come. */
  | { go: 'wake'; waits: Waits }
  | { go: 'wait' }

/** A run whose step looks again and again, as it stood after the last look. */
export interface Aside {
  run: Run
  node: Node
  /** Row of the step that looks. */
  stepId: number
}

/** The next look of a run that was put aside: none of its other rows is read. Null: its step does not wait any more. */
export function lookAgain({ run, node, stepId }: Aside, deps: EngineDeps, now: number): Taken | null {
  const step = deps.store.steps.get(stepId)
  return step?.status === 'waiting' && !step.broken
    ? { run, way: wayOfWaiting(run, node, step, deps, now) }
    : null
}

/** A run that was taken up, and how it goes on. */
interface Taken {
  run: Run
  way: Way
}

/**
 * Rebuilds a run from its rows, and nothing but its rows. `now` in epoch ms. Throws where the
 * version that ran does not know a step that it stored, or a row cannot be read.
 */
export function restore(row: RunRow, loaded: Loaded, program: Program, deps: EngineDeps, now: number): Taken {
  const { store } = deps
  const steps = store.steps.ofRun(row.id)
  const broken = row.broken ? 'the run' : steps.find(step => step.broken)?.path
  if (broken) throw unreadable(broken)
  const key = busyKey(row.workflowId, program.workflow, row.values, row.cameraId)
  const run = new Run(loaded, program, row, { ...row, key })
  run.id = row.id
  run.stored = true
  run.committed.resolve(row.id)
  run.lastMedia = lastMedia(row.id, deps)
  run.hasClip = store.media.clipsOf(row.id).length > 0
  if (row.stopAt !== null) run.stop()
  const last = steps.at(-1)
  // A loop's row stays open while its rounds go on: what they came to is in the rows behind it.
  const opened = last && program.byPath.get(last.path)
  const isOpen = last && (last.status === 'running' || last.status === 'waiting')
  const open = isOpen && !(opened && hasRounds(opened, last.inputs)) ? last : null
  let cursor = first(program).node
  for (const step of open ? steps.slice(0, -1) : steps) {
    if (cursor?.path !== step.path) throw unexpected(step.path, { node: cursor, frames: [] })
    if (hasRounds(cursor, step.inputs)) {
      const row = { id: step.id, seq: step.seq, open: step.endedAt === null }
      cursor = run.enter(cursor, inputsOf(step.inputs), row)
    } else {
      cursor = run.follow(cursor, ended(step), (loop, end) => {
        if (loop.row.open) run.writes.push(() => store.steps.end(loop.row.id, { ...end, endedAt: now }))
      })
    }
    run.readyAt = step.endedAt ?? step.startedAt
  }
  run.seq = (last?.seq ?? -1) + 1
  if (!open) {
    behind(run, now - run.readyAt, deps)
    return { run, way: { go: 'on', from: cursor } }
  }
  const node = cursor
  if (node?.path !== open.path) throw unexpected(open.path, { node, frames: [] })
  if (open.status === 'waiting') return { run, way: wayOfWaiting(run, node, open, deps, now) }
  behind(run, now - open.startedAt, deps)
  const intent = store.intents
    .ofRun(row.id)
    .find(each => each.stepId === open.id && each.status === 'intended')
  const begun: Begun = { node, id: open.id, seq: open.seq, inputs: open.inputs, intent: intent?.id ?? null }
  if (!intent) return { run, way: { go: 'again', begun } }
  const why = 'The box stopped while this was being done: look whether it happened, then say so.'
  return { run, way: { go: 'lost', begun, ended: unknown(why) } }
}

/** What is not known is not guessed: a run does not go on from half of what it was. */
function unreadable(what: string): GatehouseError {
  const why = `What is stored of ${what} cannot be read: the database was damaged, or changed from outside.`
  return new GatehouseError('row_broken', `${why} Look at what the run did, and start it again if need be.`)
}

/** What a step waits in whose row that says so is gone. */
function kindOf({ kind }: StepRow): string {
  if (kind === 'ai') return INVESTIGATE
  return actionKind(kind) ? HELD : kind
}

/** A wait keeps its deadline, however long the box was down. */
function wayOfWaiting(run: Run, node: Node, step: StepRow, deps: EngineDeps, now: number): Way {
  const due = deps.store.due.ofRun(run.id).find(({ stepId }) => stepId === step.id) ?? null
  if (due && due.at > now) return { go: 'wait' }
  if (due) behind(run, now - (waitingKind(due.kind)?.promised?.(due) ?? due.at), deps)
  return { go: 'wake', waits: { kind: due?.kind ?? kindOf(step), node, step, due } }
}

/** A run that goes on late stays late: what it moves afterwards is judged by it. */
function behind(run: Run, ms: number, { store }: Pick<EngineDeps, 'store'>): void {
  if (ms < 1_000) return
  run.lateMs += ms
  run.readyAt += ms
  run.writes.push(() => store.runs.setLate(run.id, run.lateMs))
}

function lastMedia(runId: number, { store }: EngineDeps): number | null {
  const media = store.media.ofRun(runId)
  const judged = media.filter(({ stepId }) => stepId !== null)
  return (judged.at(-1) ?? media[0])?.id ?? null
}

function ended({ status, outcome, result, ai }: StepRow): Ended {
  return { status: status === 'running' || status === 'waiting' ? 'done' : status, outcome, result, ai }
}
