/** The one way in which a workflow is written: keys in the order of the format, short things on one line. */
import type { TSchema } from '@sinclair/typebox'
import { actionKind, conditionKind, flowKind, triggerKind } from './kinds/index.ts'
import { Block, type Printable, printYaml } from './print-yaml.ts'
import { headSchema } from './read-workflow.ts'
import type { Condition, Step, Workflow } from './types.ts'

type PrintableMap = { readonly [key: string]: Printable }

/** YAML that `parse` reads as the same workflow; the same workflow always gives the same bytes. */
export function print(workflow: Workflow): string {
  const { contract, name, description, needs, state, limits } = workflow
  const head = { contract, name, description, needs, state, limits: isEmpty(limits) ? undefined : limits }
  const { kind, params } = workflow.when
  return printYaml({
    ...(ordered(head, headSchema) as PrintableMap),
    when: new Block({ [kind]: ordered(params, triggerKind(kind)?.params) }),
    ...(workflow.if.length > 0 && { if: new Block(workflow.if.map(condition)) }),
    then: new Block(workflow.then.map(step)),
    ...(workflow.always.length > 0 && { always: new Block(workflow.always.map(step)) }),
  })
}

const isEmpty = (map: object) => Object.keys(map).length === 0

/** Keys in the order in which the schema names them, then the author's own. Absent ones are left out. */
function ordered(value: unknown, schema: TSchema | undefined): Printable {
  if (value === null || typeof value !== 'object') return value as Printable
  if (Array.isArray(value)) return value.map(item => ordered(item, schema?.items))
  const properties: Readonly<Record<string, TSchema>> = schema?.properties ?? {}
  const keys = [
    ...Object.keys(properties),
    ...Object.keys(value).filter(key => !Object.hasOwn(properties, key)),
  ]
  const entries = keys.flatMap(key => {
    const inner = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
    return inner === undefined ? [] : [[key, ordered(inner, properties[key])] as const]
  })
  return Object.fromEntries(entries)
}

function condition({ kind, params }: Condition): Printable {
  if (kind === 'not') return { not: condition(params as Condition) }
  if (kind === 'any' || kind === 'all') return { [kind]: (params as Condition[]).map(condition) }
  return { [kind]: ordered(params, conditionKind(kind)?.params) }
}

function step(it: Step): Printable {
  const named = it.name === undefined ? {} : { name: it.name }
  const action = actionKind(it.kind)
  if (action) return { ...named, [it.kind]: ordered(it.params, action.params) }
  const paths = Object.fromEntries(Object.entries(it.paths).map(([outcome, steps]) => [outcome, list(steps)]))
  const params = flowParams(it)
  const inside = it.kind === 'ai' || it.kind === 'for_each'
  if (inside) return new Block({ ...named, [it.kind]: new Block({ ...(params as PrintableMap), ...paths }) })
  return isEmpty(paths)
    ? { ...named, [it.kind]: params }
    : new Block({ ...named, [it.kind]: params, ...paths })
}

function flowParams({ kind, params }: Step): Printable {
  const schema = flowKind(kind)?.params
  if (kind === 'if') return (params as Condition[]).map(condition)
  if (kind !== 'wait_for') return ordered(params, schema)
  const { until, ...rest } = params as { until: Condition }
  return { until: condition(until), ...(ordered(rest, schema) as PrintableMap) }
}

/** One short step stays on the line of its outcome. */
function list(steps: readonly Step[]): Printable {
  const printed = steps.map(step)
  return steps.length > 1 ? new Block(printed) : printed
}
