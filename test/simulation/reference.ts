/**
 * What a run has to look like, worked out from its workflow, its event and the answers of the world alone: an
 * interpreter of its own that shares no code with the engine.
 */
import type { Condition, Step, Workflow } from '../../src/contract/index.ts'
import type { JsonValue } from '../../src/core/index.ts'
import type { RunRow, StepRow } from '../../src/store/index.ts'

const LISTS: Record<string, string[]> = { residents: ['B-AB 123', 'm xy 9'], drivers: ['A 1', 'B 2', 'C 3'] }
const RESIDENTS = ['b-ab 123', 'm xy 9']

/** Compares an ended run with what it should be; answers with what differs. */
export function differences(workflow: Workflow, run: RunRow, steps: readonly StepRow[]): string[] {
  return new Reading(workflow, run, steps).compare()
}

const BRANCHING = new Set(['if', 'ai', 'ask_person', 'call', 'for_each', 'wait_for'])
const ACTING = new Set([
  'webhook',
  'mqtt',
  'home_assistant',
  'app',
  'ptz_preset',
  'save_clip',
  'save_picture',
  'site_mode',
])

/** What Test does as it stands. */
const SAME_IN_TEST = new Set(['ai', 'if', 'log', 'wait', 'wait_for'])

class Reading {
  readonly #workflow: Workflow
  readonly #run: RunRow
  readonly #steps: readonly StepRow[]
  readonly #values: Record<string, JsonValue>
  readonly #faults: string[] = []
  #at = 0
  #verdict = 'done'

  constructor(workflow: Workflow, run: RunRow, steps: readonly StepRow[]) {
    this.#workflow = workflow
    this.#run = run
    this.#steps = steps
    this.#values = triggerValues(run)
  }

  compare(): string[] {
    this.#list(this.#workflow.then, 'then')
    this.#list(this.#workflow.always, 'always')
    if (this.#at < this.#steps.length) this.#faults.push(`${this.#steps.length - this.#at} steps too many`)
    if (this.#run.status !== this.#verdict)
      this.#faults.push(`it is ${this.#run.status}, should be ${this.#verdict}`)
    return this.#faults
  }

  /** True: the path ended before its time. */
  #list(steps: readonly Step[], place: string): boolean {
    return steps.some((step, i) => this.#step(step, `${place}[${i}]`))
  }

  #step(step: Step, path: string): boolean {
    const row = this.#steps[this.#at++]
    if (row?.path !== path || row.kind !== step.kind) {
      this.#faults.push(
        `${row ? `${row.kind} at ${row.path}` : 'nothing'} where ${step.kind} at ${path} should be`,
      )
      return true
    }
    const result = (row.result ?? {}) as { stopped?: boolean; ends_path?: boolean; message?: string }
    // One that was stopped before its first round goes over nothing.
    if (step.kind === 'for_each' && !result.stopped) return this.#loop(step, row, path)
    const inputs = BRANCHING.has(step.kind) ? undefined : this.#filled(step)
    if (inputs !== undefined && JSON.stringify(row.inputs) !== JSON.stringify(inputs)) {
      this.#faults.push(
        `${path} was given ${JSON.stringify(row.inputs)} instead of ${JSON.stringify(inputs)}`,
      )
    }
    const acts = ACTING.has(step.kind)
    const test = this.#run.state === 'test' && !SAME_IN_TEST.has(step.kind)
    const may = test ? ['would_have'] : acts ? ['done', 'failed', 'unknown'] : ['done']
    if (!may.includes(row.status) && !result.stopped) this.#faults.push(`${path} is ${row.status}`)
    if (row.status === 'unknown') this.#worst('unknown')
    else if (result.stopped) this.#worst('stopped')
    else if (row.status === 'failed' && result.ends_path) this.#worst('failed')
    if (row.status === 'unknown' || result.ends_path) {
      if (!acts && !result.stopped) this.#faults.push(`${path} ended its path`)
      return true
    }
    if (step.kind === 'if') return this.#if(step, row, path)
    if (step.kind === 'ai') return this.#ai(step, row, path)
    if (step.kind === 'ask_person') return this.#ask(step, row, path)
    if (step.kind === 'call') return this.#call(step, row, path)
    if (step.kind === 'wait_for') return this.#waitFor(step, row, path)
    return false
  }

  #if(step: Step, row: StepRow, path: string): boolean {
    const conditions = step.params as Condition[]
    // The mode may change while a run goes on: what it was then is not in the rows.
    if (conditions.every(knowable)) {
      const should = conditions.every(each => this.#holds(each)) ? 'then' : 'else'
      if (row.outcome !== should) this.#faults.push(`${path} chose ${row.outcome} instead of ${should}`)
    }
    return this.#list(step.paths[row.outcome ?? ''] ?? [], `${path}.${row.outcome}`)
  }

  #ai(step: Step, row: StepRow, path: string): boolean {
    const outcome = row.outcome ?? ''
    if (!Object.hasOwn(step.paths, outcome)) {
      this.#faults.push(`${path} chose ${outcome}`)
      return true
    }
    for (const [name, value] of [
      ['decision', outcome],
      ['reason', row.ai?.reason ?? null],
    ] as const) {
      this.#values[name] = value
      this.#values[`${step.name}.${name}`] = value
    }
    return this.#list(step.paths[outcome] ?? [], `${path}.${outcome}`)
  }

  #loop(step: Step, row: StepRow, path: string): boolean {
    const {
      list,
      cameras,
      as = 'item',
      max = 20,
    } = step.params as { list?: string; cameras?: string[]; as?: string; max?: number }
    const all = cameras ?? LISTS[list ?? ''] ?? []
    const items = all.slice(0, max)
    const inputs = JSON.stringify({ as, items, skipped: all.length - items.length })
    if (JSON.stringify(row.inputs) !== inputs)
      this.#faults.push(`${path} goes over ${JSON.stringify(row.inputs)}`)
    const before = this.#values[as]
    const ended = items.some(item => {
      this.#values[as] = item
      return this.#list(step.paths.do ?? [], `${path}.do`)
    })
    if (before === undefined) delete this.#values[as]
    else this.#values[as] = before
    const should = ended ? 'failed' : 'done'
    if (row.status !== should) this.#faults.push(`${path} is ${row.status}, should be ${should}`)
    return ended
  }

  #waitFor(step: Step, { outcome, startedAt, endedAt }: StepRow, path: string): boolean {
    const { until, timeout } = step.params as { until: Condition; timeout: string }
    const took = Number(endedAt) - startedAt
    if (outcome !== 'met' && outcome !== 'timeout') this.#faults.push(`${path} chose ${outcome}`)
    if (outcome === 'timeout' && took < parseInt(timeout, 10) * 1000)
      this.#faults.push(`${path} gave up after ${took} ms`)
    if (until.kind === 'elapsed' && outcome === 'met' && took < 2_000)
      this.#faults.push(`${path} was met after ${took} ms`)
    return this.#list(step.paths[outcome ?? ''] ?? [], `${path}.${outcome}`)
  }

  #ask(step: Step, row: StepRow, path: string): boolean {
    const outcome = row.outcome ?? ''
    const result = (row.result ?? {}) as { answer?: JsonValue; answered_by?: JsonValue }
    const { default: usual, replies } = step.params as { default?: string; replies: string[] }
    const nobody = usual === undefined || step.paths.no_answer ? 'no_answer' : usual
    const answered = Boolean(result.answered_by)
    if (answered ? !replies.includes(outcome) : outcome !== nobody)
      this.#faults.push(`${path} chose ${outcome}`)
    if (answered && this.#run.state === 'test') this.#faults.push(`${path} was asked in Test`)
    for (const name of ['answer', 'answered_by'] as const) {
      this.#values[name] = result[name] ?? null
      this.#values[`${step.name}.${name}`] = result[name] ?? null
    }
    return this.#list(step.paths[outcome] ?? [], keyed(path, outcome))
  }

  #call(step: Step, row: StepRow, path: string): boolean {
    const outcome = row.outcome ?? ''
    const result = (row.result ?? {}) as { answer?: JsonValue; answered_by?: JsonValue }
    const fields = (row.ai?.fields ?? {}) as Record<string, JsonValue>
    const { outcomes } = step.params as { outcomes: string[] }
    if (result.answer === null ? outcome !== 'no_answer' : !outcomes.includes(outcome))
      this.#faults.push(`${path} chose ${outcome}`)
    if (outcome !== 'no_answer' && (result.answer !== outcome || this.#run.state === 'test'))
      this.#faults.push(`${path} came to ${outcome}, and that is ${result.answer} in ${this.#run.state}`)
    const { answer = null, answered_by = null } = result
    for (const [name, value] of Object.entries({ answer, answered_by, code: fields.code ?? null })) {
      this.#values[name] = value
      this.#values[`${step.name}.${name}`] = value
    }
    return this.#list(step.paths[outcome] ?? [], keyed(path, outcome))
  }

  #holds({ kind, params }: Condition): boolean {
    const text = (name: string) =>
      String(this.#values[name] ?? '')
        .trim()
        .toLowerCase()
    switch (kind) {
      case 'not':
        return !this.#holds(params as Condition)
      case 'any':
        return (params as Condition[]).some(each => this.#holds(each))
      case 'in_list':
        return RESIDENTS.includes(text('plate'))
      case 'value': {
        const {
          of,
          is,
          in: among,
          at_least: least,
        } = params as { of: string; is?: string; in?: string[]; at_least?: number }
        if (is !== undefined) return text(of) === is.toLowerCase()
        if (among) return among.some(each => each.toLowerCase() === text(of))
        const value = this.#values[of]
        return typeof value === 'number' && value >= (least ?? 0)
      }
      default:
        throw new Error(`no reference for ${kind}`)
    }
  }

  #filled({ params }: Step): JsonValue {
    const fill = (value: JsonValue): JsonValue => {
      if (typeof value === 'string') {
        return value.replace(/\{([a-z0-9_]+(?:\.[a-z0-9_]+)?)\}/g, (_, name: string) =>
          String(this.#values[name] ?? ''),
        )
      }
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each)]))
    }
    return fill(params as JsonValue)
  }

  #worst(verdict: string): void {
    const order = ['done', 'stopped', 'failed', 'unknown']
    if (order.indexOf(verdict) > order.indexOf(this.#verdict)) this.#verdict = verdict
  }
}

/** A path's name as it stands in a step's place. */
function keyed(path: string, outcome: string): string {
  return /^[a-z_]+$/i.test(outcome) ? `${path}.${outcome}` : `${path}[${JSON.stringify(outcome)}]`
}

function knowable({ kind, params }: Condition): boolean {
  if (kind === 'site_mode') return false
  if (kind === 'not') return knowable(params as Condition)
  return kind === 'any' ? (params as Condition[]).every(knowable) : true
}

/** What the event gives, by the payload as the simulator made it. */
function triggerValues({ event, cameraId }: RunRow): Record<string, JsonValue> {
  const payload = event.payload as Record<string, JsonValue>
  const values: Record<string, JsonValue> = { ...payload }
  if (typeof payload.plate_text === 'string') values.plate = payload.plate_text
  if (cameraId !== null) values.camera = cameraId
  return values
}
