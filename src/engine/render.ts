import { fill, placeholdersIn, type Step, stepKind } from '../contract/index.ts'
import { cut, type JsonValue } from '../core/index.ts'
import type { Values } from '../kinds/index.ts'

/** A text that values made longer than this is cut: what comes from outside has no end of its own. */
const LONGEST = 16_000

/** A step's parameters with the run's values filled in. */
export type Render = (values: Values) => JsonValue

/**
 * Prepares the parameters of a step once per workflow version. Placeholders are filled in one pass, and only
 * in the parameters that the kind says may hold them; what comes out of a value is never looked at again.
 */
export function renderer(step: Step): Render {
  const params = step.params as JsonValue
  const templated = stepKind(step.kind)?.templated ?? []
  if (templated.includes('')) return template(params) ?? (() => params)
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return () => params
  const parts = templated.flatMap(name => {
    const part = template(params[name] ?? null)
    return part ? [{ name, part }] : []
  })
  if (!parts.length) return () => params
  return values => {
    const filled = { ...params }
    for (const { name, part } of parts) filled[name] = part(values)
    return filled
  }
}

/** Null where there is nothing to fill. */
function template(value: JsonValue): Render | null {
  if (typeof value === 'string') return placeholdersIn(value).length ? textTemplate(value) : null
  if (Array.isArray(value)) {
    const parts = value.map(each => template(each))
    if (parts.every(part => part === null)) return null
    return values => value.map((each, i) => parts[i]?.(values) ?? each)
  }
  if (typeof value !== 'object' || value === null) return null
  const parts = Object.entries(value).map(([key, each]) => [key, each, template(each)] as const)
  if (parts.every(([, , part]) => part === null)) return null
  return values => Object.fromEntries(parts.map(([key, each, part]) => [key, part ? part(values) : each]))
}

function textTemplate(text: string): Render {
  return values => {
    return cut(fill(text, values), LONGEST)
  }
}
