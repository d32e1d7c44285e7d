import type { Condition } from '../../contract/index.ts'
import {
  conditionsOf,
  parseCron,
  type Step,
  type Workflow,
  walk,
  walkCondition,
} from '../../contract/index.ts'
import type { Facet } from './case-schema.ts'

/** What a workflow says, facet by facet: sets of texts that can be held against another's. */
export type Facets = Record<Facet, ReadonlySet<string>>

const FLOW = new Set(['ai', 'if', 'for_each', 'ask_person', 'call', 'wait', 'wait_for'])

export function facetsOf(workflow: Workflow): Facets {
  const steps: Step[] = []
  const guards: Condition[] = []
  walk(workflow, ({ step, path }) => {
    steps.push(step)
    for (const each of conditionsOf(step, path)) walkCondition(each.condition, '', one => guards.push(one))
  })
  for (const each of workflow.if) walkCondition(each, '', one => guards.push(one))
  const { kind, params } = workflow.when
  const { cameras = [], ...rest } = params as { cameras?: string[] }
  const of = (...kinds: string[]) => steps.filter(step => kinds.includes(step.kind))
  const paramsOf = (step: Step) => (step.params ?? {}) as { [name: string]: unknown }
  const texts = (values: unknown[]) => values.flat().filter(each => typeof each === 'string')
  return {
    trigger: new Set([kind]),
    trigger_params: new Set(
      Object.entries(timed(rest)).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
    ),
    cameras: new Set(
      [
        ...cameras,
        ...texts(steps.map(step => paramsOf(step).look_at)),
        ...texts(of('for_each').map(step => paramsOf(step).cameras ?? [])),
        ...texts(guards.map(({ kind, params }) => (kind === 'camera' ? params : []))),
      ].filter(role => !role.startsWith('{')),
    ),
    guards: new Set(guards.map(each => each.kind).filter(each => !['all', 'any'].includes(each))),
    times: new Set(
      guards.flatMap(each => (each.kind === 'time' ? [JSON.stringify(sorted(each.params))] : [])),
    ),
    lists: new Set([
      ...texts(guards.map(({ kind, params }) => (kind === 'in_list' ? [Object(params).list] : []))),
      ...texts(of('for_each').map(step => paramsOf(step).list)),
    ]),
    steps: new Set(steps.filter(step => FLOW.has(step.kind)).map(step => step.kind)),
    decisions: new Set(texts(of('ai').map(step => paramsOf(step).decision))),
    actions: new Set(steps.filter(step => !FLOW.has(step.kind)).map(step => step.kind)),
    severity: new Set(texts(of('alert', 'notify').map(step => paramsOf(step).severity))),
    who: new Set(texts(of('notify', 'ask_person', 'call').map(step => paramsOf(step).who))),
    replies: new Set(texts(of('ask_person').map(step => paramsOf(step).replies))),
    limits: new Set(Object.entries(workflow.limits).map(([name, value]) => `${name}: ${value}`)),
  }
}

/** A time of day and the cron line that says the same are the same. */
function timed({ at, days, ...rest }: { [name: string]: unknown }): { [name: string]: unknown } {
  const { cron } = rest
  const line = typeof at === 'string' ? lineOf(at, days) : typeof cron === 'string' ? cron : null
  if (line === null) return rest
  const { minutes, hours, on } = parseCron(line)
  const [, , day, month] = line.trim().split(/\s+/)
  const weekdays = [1, 2, 3, 4, 5, 6, 7].filter(weekday => on({ month: 1, day: 1, weekday }))
  return { ...rest, cron: { minutes, hours, day, month, weekdays } }
}

function lineOf(at: string, days: unknown): string {
  const [hour, minute] = at.split(':').map(Number)
  return `${minute} ${hour} * * ${Array.isArray(days) ? days.join(',') : '*'}`
}

function sorted(params: unknown): unknown {
  return Object.fromEntries(Object.entries(Object(params)).sort(([a], [b]) => (a < b ? -1 : 1)))
}
