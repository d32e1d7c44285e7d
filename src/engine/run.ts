import { type NodePath, stepKind } from '../contract/index.ts'
import type { JsonValue, Picture } from '../core/index.ts'
import type { Values } from '../kinds/index.ts'
import type { DueRow, JsonObject, NoticeRow, RunRow, RunStatus, StepStatus } from '../store/index.ts'
import { isObject } from './json.ts'
import { decidedIn, judgeOf } from './learn/judge.ts'
import { endOf, type Loop, type LoopEnd, type LoopInputs, Loops, namesInside } from './loops.ts'
import { lostIn, withLost } from './lost.ts'
import { type Finished, next } from './plan.ts'
import type { Node, Program } from './program.ts'
import { EVERYTHING } from './taint.ts'
import type { RunSummary } from './types.ts'
import { endsPath, isWorse, messageIn, type Verdict, verdictOfStep } from './verdict.ts'
import { workflowRef } from './workflow-ref.ts'
import type { Loaded } from './workflows.ts'

/** How a step came out. */
export interface Ended {
  status: Exclude<StepStatus, 'running' | 'waiting'>
  outcome: string | null
  result: JsonValue
  ai: JsonObject | null
}

/** A picture of a run: stored, and its bytes while the run is at work. */
export interface RunPicture {
  media: number
  picture: Picture
}

/** A notice of a run at work; its row's id is known once the commit that writes it has begun. */
export interface RunNotice {
  readonly row: NoticeRow
  /** It is about a move of which nobody knows whether it happened. */
  readonly unsettled: boolean
  /** Written with it, where it may start other workflows. */
  promise: DueRow | null
}

/** What is settled about a run at its admission. */
export type RunFacts = Pick<
  RunRow,
  | 'versionId'
  | 'siteVersion'
  | 'moves'
  | 'state'
  | 'triggerKind'
  | 'event'
  | 'cameraId'
  | 'chain'
  | 'correlationId'
  | 'startedAt'
>

/** A run at work. Everything that must outlive the process is in its rows; this is their image in memory. */
export class Run {
  /** 0 until the first rows are written. */
  id = 0
  readonly loaded: Loaded
  readonly program: Program
  readonly facts: RunFacts
  readonly values: Values
  /** Names of the trigger's values that may guard no move in this run. */
  readonly taint: ReadonlySet<string>
  lateMs: number
  /** What it is the only run for, from its admission to its end. */
  readonly key: string
  /** What goes on takes long (an AI step, a recording): it may be broken off, and is done again after a restart. */
  thinking = false
  /** Its first rows are on the disk: before that an id is a promise that the disk may break. */
  stored = false
  /** Lists know that it is at work. */
  listed = false
  /** Its rows say something by now that it does not know. */
  stale = false
  /** Why its rows were not understood; null: they are. */
  givenUp: string | null = null
  /** Resolves with the run's id once its first rows are on the disk. */
  readonly committed = Promise.withResolvers<number>()
  /** Number of the next step. */
  seq = 0
  /** When the next step could begin (epoch ms): the end of the one before. */
  readyAt: number
  /** How many pictures came with the event, before their rows have ids. */
  brought = 0
  /** Pictures that came with the event; null: not read from the disk yet. */
  pictures: RunPicture[] | null = null
  /** Those that somebody else keeps of the event; null: not asked for. */
  evidence: RunPicture[] | null = null
  /** The picture that was judged last, else the first that came with the event. */
  lastMedia: number | null = null
  /** Something was recorded for it. */
  hasClip = false
  /** What decided so far: fingerprint of the AI step → whether each time somebody measured how sure it was. */
  readonly judged = new Map<string, boolean>()
  verdict: Verdict = 'done'
  error: string | null = null
  decision: string | null = null
  reason: string | null = null
  stopping = false
  /** What the question at a place came to, the latest where it was asked more than once. */
  readonly answers = new Map<NodePath, JsonValue>()
  /** A person has the move made that comes next, though moves are paused. */
  released = false
  /** What the next commit writes. */
  writes: (() => void)[] = []
  /** With it come rows in `due`. */
  rings = false
  /** What is told to the bus once that is committed. */
  notices: RunNotice[] = []
  /** The loops that it is in. */
  readonly loops: Loops
  readonly #succeeded = new Map<string, boolean>()
  /** Values that steps gave: under their names the trigger's are out of sight. */
  readonly #given = new Set<string>()
  /** Why the latest message that was lost came to nothing. */
  #lost: string | null = null
  #abort: AbortController | null = null

  constructor(
    loaded: Loaded,
    program: Program,
    facts: RunFacts,
    rest: {
      values: Values
      taint: Iterable<string>
      lateMs: number
      key: string
    },
  ) {
    this.loaded = loaded
    this.program = program
    this.facts = facts
    this.values = withTriggerNames(rest.values)
    this.loops = new Loops(this.values)
    this.taint = new Set(rest.taint)
    this.key = rest.key
    this.lateMs = rest.lateMs
    this.readyAt = facts.startedAt
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController()
    return this.#abort.signal
  }

  /** It ends before its time: what is going on is interrupted, nothing more of `then` begins. */
  stop(): void {
    this.stopping = true
    this.interrupt()
  }

  /** Interrupts what is going on. */
  interrupt(): void {
    this.#abort ??= new AbortController()
    this.#abort.abort()
  }

  /** The stop has taken effect: what follows is not broken off. */
  stopped(): void {
    this.stopping = false
    this.#abort = null
  }

  succeeded(step: string): boolean {
    return this.#succeeded.get(step) ?? false
  }

  /** Whether a value of the trigger may guard a move in this run. */
  isClean(name: string): boolean {
    if (this.taint.has(EVERYTHING)) return false
    const own = name.startsWith('trigger.') ? name.slice('trigger.'.length) : name
    return !this.taint.has(own) && (own !== name || !this.#given.has(name))
  }

  /** In one line of a list. */
  summary(status: RunStatus, endedAt: number | null): RunSummary {
    const { row } = this.loaded
    const { state, cameraId, startedAt } = this.facts
    return {
      id: this.id,
      workflow: workflowRef(row.id, row),
      state,
      status,
      camera: cameraId,
      decision: this.decision,
      reason: withLost(this.reason ?? this.error, this.#lost),
      picture: this.lastMedia,
      started_at: new Date(startedAt).toISOString(),
      ended_at: endedAt === null ? null : new Date(endedAt).toISOString(),
    }
  }

  /**
   * Takes in how a step ended, when it ends and again when a restart reads its row, and goes to what runs next;
   * null: nothing more. `closed` hears of each loop that is over by it.
   */
  follow(node: Node, ended: Ended, closed: (loop: Loop, end: LoopEnd) => void): Node | null {
    const finished = this.#took(node, ended)
    const cursor = next(this.program, { node, frames: this.loops.frames }, finished)
    const { left, again } = this.loops.follow(cursor.frames)
    for (const loop of left) {
      const end = endOf(loop, finished.ends)
      closed(loop, end)
      this.#took(loop.node, end)
    }
    if (again) this.#forget(again.node)
    return cursor.node
  }

  /** A loop begins, when it does and again when a restart reads its row: its first step is next. */
  enter(node: Node, inputs: LoopInputs, row: Loop['row']): Node | null {
    const finished = { outcome: null, ends: false, rounds: inputs.items.length }
    const cursor = next(this.program, { node, frames: this.loops.frames }, finished)
    this.loops.enter(node, inputs, row)
    this.loops.follow(cursor.frames)
    this.#given.add(inputs.as)
    return cursor.node
  }

  /** What a step came to in an earlier round says nothing about this one; least of all what somebody answered. */
  #forget(loop: Node): void {
    for (const name of namesInside(loop)) this.#succeeded.delete(name)
    for (const path of this.answers.keys()) if (path.startsWith(`${loop.path}.`)) this.answers.delete(path)
  }

  #took(node: Node, ended: Ended): Finished {
    const { step } = node
    const { status, outcome, ai } = ended
    if (step.name)
      this.#succeeded.set(step.name, (status === 'done' || status === 'would_have') && outcome !== 'unsure')
    for (const [name, value] of Object.entries(givenBy(step.kind, step.params, ended))) {
      this.values[name] = value
      if (step.name) this.values[`${step.name}.${name}`] = value
      this.#given.add(name)
    }
    if (ai) {
      this.loops.heard(outcome, ai)
      this.decision = outcome
      this.reason = typeof ai.reason === 'string' ? ai.reason : null
    }
    this.#lost = lostIn(step.kind, ended) ?? this.#lost
    const decided = decidedIn(step.kind, ended)
    if (decided) {
      const judge = judgeOf(step)
      this.judged.set(judge, decided.confidence !== null && this.judged.get(judge) !== false)
    }
    if (step.kind === 'ask_person') this.answers.set(node.path, ended.result)
    const verdict = verdictOfStep(ended)
    if (isWorse(verdict, this.verdict)) {
      this.verdict = verdict
      this.error = messageIn(ended)
    }
    return { outcome, ends: endsPath(ended) }
  }
}

/** The values that a step gives, out of its kind and its row. */
export function givenBy(
  kind: string,
  params: unknown,
  ended: Pick<Ended, 'outcome' | 'result' | 'ai'>,
): JsonObject {
  const { ai, outcome, result } = ended
  const fields = isObject(ai?.fields) ? ai.fields : {}
  if (ai && kind === 'ai') {
    const found = isObject(result) && typeof result.evidence === 'string' ? { evidence: result.evidence } : {}
    return { ...found, ...fields, decision: outcome, reason: ai.reason ?? null }
  }
  // A step that never began has no parameters.
  const gives = params === null ? null : stepKind(kind)?.gives?.(params as never)
  if (!gives || !isObject(result)) return {}
  // What was said in a call never stands for what the box says of the call, nor the other way round.
  const asked = (kind === 'call' && (params as { fields?: object }).fields) || {}
  const from = (name: string) => (Object.hasOwn(asked, name) ? fields : result)
  return Object.fromEntries(Object.keys(gives).map(name => [name, from(name)[name] ?? null]))
}

function withTriggerNames(given: Values): Values {
  const values: Values = Object.create(null)
  for (const name of Object.keys(given)) {
    const value = given[name] ?? null
    values[name] = value
    values[`trigger.${name}`] = value
  }
  return values
}
