/** A file as it can be drawn, whatever is wrong with it: what cannot be read is as it stands there. */
import { flowKind, stepKind } from '../kinds/index.ts'
import { entryOf, type Src, toJson } from '../source.ts'
import { keyPath } from '../tree.ts'
import type { Condition, Json, NodePath, Step, StepKind, Workflow } from '../types.ts'
import { isMap } from './meant.ts'
import { INSIDE, sourceOf } from './place.ts'
import { outcomesOf } from './steps.ts'

/**
 * The nodes of a file. Its parameters may be anything: they were held against nothing. Of a step all paths are there
 * that it may have, empty where the file does not say. Null where it is no YAML with a map in it.
 */
export function sketch(text: string): Workflow | null {
  const root = sourceOf(text)
  if (root?.type !== 'map') return null
  const json = toJson(root)
  const head = isMap(json) ? json : {}
  const when = entryOf(root, 'when')?.value
  const [trigger] = when?.type === 'map' ? when.entries : []
  return {
    contract: 'workflow.v1',
    name: typeof head.name === 'string' ? head.name : '',
    ...(typeof head.description === 'string' && { description: head.description }),
    state: head.state === 'on' || head.state === 'off' ? head.state : 'test',
    limits: (isMap(head.limits) ? head.limits : {}) as Workflow['limits'],
    when: {
      kind: (trigger?.key ?? '') as Workflow['when']['kind'],
      params: trigger ? mapOf(toJson(trigger.value)) : {},
    },
    if: conditionsIn(head.if),
    then: stepsIn(entryOf(root, 'then')?.value, 'then'),
    always: stepsIn(entryOf(root, 'always')?.value, 'always'),
  }
}

const mapOf = (json: Json) => (isMap(json) ? json : {})

const conditionsIn = (json: Json | undefined): Condition[] =>
  Array.isArray(json) ? json.map(conditionIn) : []

/** A condition as it stands in a file. */
function conditionIn(json: Json | undefined): Condition {
  const [[kind, params] = ['', null]] = isMap(json) ? Object.entries(json) : []
  const name = kind as Condition['kind']
  if (kind === 'not') return { kind: name, params: conditionIn(params) }
  if (kind === 'any' || kind === 'all') return { kind: name, params: conditionsIn(params) }
  return { kind: name, params }
}

function stepsIn(src: Src | undefined, path: NodePath): Step[] {
  return src?.type === 'list' ? src.items.map((item, i) => stepIn(item, `${path}[${i}]`)) : []
}

function stepIn(src: Src, path: NodePath): Step {
  const entries = src.type === 'map' ? src.entries : []
  const entry = entries.find(({ key }) => stepKind(key)) ?? entries.find(({ key }) => key !== 'name')
  const name = entryOf(src, 'name')?.value
  const kind = entry?.key ?? ''
  const given = entry ? toJson(entry.value) : null
  const holder = INSIDE.includes(kind) ? entry?.value : src
  const outcomes = flowKind(kind) ? outcomesOf(kind, given) : []
  const paths = outcomes.map(outcome => [
    outcome,
    stepsIn(holder && entryOf(holder, outcome)?.value, keyPath(path, outcome)),
  ])
  return {
    kind: kind as StepKind,
    ...(name?.type === 'scalar' && typeof name.value === 'string' && { name: name.value }),
    params: paramsIn(kind, given, outcomes),
    paths: Object.fromEntries(paths),
  }
}

function paramsIn(kind: string, given: Json, outcomes: readonly string[]): unknown {
  if (kind === 'if') return conditionsIn(given)
  if (!isMap(given)) return given
  if (kind === 'wait_for') return { ...given, until: conditionIn(given.until) }
  if (!INSIDE.includes(kind)) return given
  const own = flowKind(kind)?.params.properties ?? {}
  const isPath = (key: string) => !Object.hasOwn(own, key) && outcomes.includes(key)
  return Object.fromEntries(Object.entries(given).filter(([key]) => !isPath(key)))
}
