/** Every place of a file that names a value. */
import { actionKind, flowKind } from '../kinds/index.ts'
import { placeholdersIn } from '../placeholders.ts'
import { conditionsOf, keyPath, paramPath, walk, walkCondition } from '../tree.ts'
import type { Condition, NodePath, Step, Workflow } from '../types.ts'

export interface Reference {
  /** `plate`, `trigger.plate`, `look.company`. */
  name: string
  /** The step that reads it; `when` for the file-level `if`. */
  at: NodePath
  /** Where the text stands, for the problem. */
  path: string
  /** `{name}` in a text, a bare name in `of`, or the name of a step. */
  form: 'placeholder' | 'name' | 'step'
}

/** All references of a file, in its order. */
export function referencesOf(workflow: Workflow): Reference[] {
  const found: Reference[] = []
  workflow.if.forEach((condition, i) => {
    found.push(...ofCondition(condition, 'when', paramPath('', 'if', i)))
  })
  walk(workflow, ({ step, path }) => {
    for (const { condition, path: place } of conditionsOf(step, path)) {
      found.push(...ofCondition(condition, path, place))
    }
    for (const { text, path: place } of templatesOf(step, path)) {
      found.push(...inText(text, path, place))
    }
  })
  return found
}

function ofCondition(condition: Condition, at: NodePath, path: string): Reference[] {
  const found: Reference[] = []
  walkCondition(condition, path, (inner, place) => {
    const params = inner.params as { of?: string; value?: string; camera?: string }
    if (inner.kind === 'value' && typeof params.of === 'string') {
      found.push({ name: params.of, at, path: `${place}.value.of`, form: 'name' })
    }
    if (inner.kind === 'step_succeeded') {
      found.push({ name: String(inner.params), at, path: `${place}.step_succeeded`, form: 'step' })
    }
    if (inner.kind === 'in_list') found.push(...inText(params.value, at, `${place}.in_list.value`))
    if (inner.kind === 'text_visible')
      found.push(...inText(params.camera, at, `${place}.text_visible.camera`))
  })
  return found
}

function inText(text: unknown, at: NodePath, path: string): Reference[] {
  if (typeof text !== 'string') return []
  return placeholdersIn(text).map(name => ({ name, at, path, form: 'placeholder' }))
}

interface PlacedText {
  text: string
  path: string
}

/** The texts of a step in which a placeholder is filled or names a value. */
function templatesOf(step: Step, path: NodePath): PlacedText[] {
  const flowing = flowKind(step.kind)
  const keys = flowing
    ? [...(flowing.templated ?? []), ...(flowing.naming ?? [])]
    : (actionKind(step.kind)?.templated ?? [])
  const base = paramPath(path, step.kind)
  return textsIn(step.params, base).filter(({ path: place }) => {
    const inside = place.slice(base.length + 1)
    return (
      inside === '' ||
      keys.some(key => inside === key || inside.startsWith(`${key}.`) || inside.startsWith(`${key}[`))
    )
  })
}

/** All texts in parameters, each with its path; a key of an object counts too, since it can hold braces. */
export function textsIn(params: unknown, path: string): PlacedText[] {
  if (typeof params === 'string') return [{ text: params, path }]
  if (Array.isArray(params)) return params.flatMap((item, i) => textsIn(item, `${path}[${i}]`))
  if (params === null || typeof params !== 'object') return []
  return Object.entries(params).flatMap(([key, value]) => {
    const place = keyPath(path, key)
    return [{ text: key, path: place }, ...textsIn(value, place)]
  })
}
