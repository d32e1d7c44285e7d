/** What of a card can be filled in: the single values of its kind, out of the registry's schema. */
import { type Json, type ParamPlace, type RegistryEntry, registry } from '../../../contract/index.ts'

export interface ParamField extends ParamPlace {
  /** What it is now; null: the file does not say. */
  value: string | number | boolean | null
  is: 'text' | 'long' | 'number' | 'word' | 'yes_no'
  required: boolean
  description: string
  /** What it may be, where that is a choice. */
  words: string[]
  min?: number
  max?: number
}

interface Schema {
  type?: string
  description?: string
  maxLength?: number
  minimum?: number
  maximum?: number
  const?: unknown
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
}

let known: Map<string, RegistryEntry> | undefined

/** Triggers, conditions and steps share names (`webhook`): each is known by its group. */
function entryOf(group: 'when' | 'if' | 'step', kind: string): RegistryEntry | undefined {
  if (!known) {
    const { triggers, conditions, steps, actions } = registry()
    const named = (of: string, all: RegistryEntry[]) => all.map(it => [`${of} ${it.kind}`, it] as const)
    known = new Map([
      ...named('when', triggers),
      ...named('if', conditions),
      ...named('step', [...steps, ...actions]),
    ])
  }
  return known.get(`${group} ${kind}`)
}

/** `more`: it holds something that is no single value. */
export function fieldsOf(
  node: string,
  kind: string,
  params: unknown,
): { fields: ParamField[]; more: string[] } {
  const group = node === 'when' ? 'when' : /^if\[\d+\]$/.test(node) ? 'if' : 'step'
  const schema = entryOf(group, kind)?.params as Schema | undefined
  if (!schema) return { fields: [], more: [] }
  if (!schema.properties) {
    const field = fieldOf({ node, kind, at: [] }, schema, params, true)
    return { fields: field ? [field] : [], more: field ? [] : [kind] }
  }
  const given = (params ?? {}) as Record<string, Json>
  const fields: ParamField[] = []
  const more: string[] = []
  for (const [key, each] of Object.entries(schema.properties)) {
    const field = fieldOf(
      { node, kind, at: [key] },
      each,
      given[key],
      schema.required?.includes(key) ?? false,
    )
    if (field) fields.push(field)
    else more.push(key)
  }
  return { fields, more }
}

function fieldOf(place: ParamPlace, schema: Schema, given: unknown, required: boolean): ParamField | null {
  if (typeof given === 'object' && given !== null) return null
  const value = (given ?? null) as ParamField['value']
  const { description = '' } = schema
  const field = { ...place, value, required, description, words: [] as string[] }
  const choices = schema.anyOf ?? []
  if (choices.length > 0 && choices.every(it => typeof it.const === 'string'))
    return { ...field, is: 'word', words: choices.map(it => String(it.const)) }
  const single = choices.length > 0 ? choices.find(it => it.type === 'string') : schema
  switch (single?.type) {
    case 'string':
      return { ...field, is: (single.maxLength ?? 0) > 200 ? 'long' : 'text' }
    case 'number':
    case 'integer': {
      const { minimum: min, maximum: max } = single
      return { ...field, is: 'number', ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
    }
    case 'boolean':
      return { ...field, is: 'yes_no' }
    default:
      return null
  }
}
