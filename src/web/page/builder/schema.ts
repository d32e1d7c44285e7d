/** The schema of what may be filled in, out of the registry. */
import { jsonSchema, type RegistryEntry, registry } from '../../../contract/index.ts'

export interface Schema {
  type?: string
  description?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
  minItems?: number
  const?: unknown
  $ref?: string
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  required?: string[]
}

export type Group = 'trigger' | 'condition' | 'step'

let known: Map<string, RegistryEntry> | undefined

function entries(): Map<string, RegistryEntry> {
  if (known) return known
  const { triggers, conditions, steps, actions } = registry()
  // Triggers, conditions and steps share names (`webhook`): each is known by its group.
  const named = (of: Group, all: RegistryEntry[]) => all.map(it => [`${of} ${it.kind}`, it] as const)
  known = new Map([
    ...named('trigger', triggers),
    ...named('condition', conditions),
    ...named('step', [...steps, ...actions]),
  ])
  return known
}

export const schemaOf = (group: Group, kind: string): Schema | undefined =>
  entries().get(`${group} ${kind}`)?.params as Schema | undefined

let whole: Schema | undefined

/** Of the head of a file: `limits`. */
export function headSchema(key: string): Schema {
  whole ??= jsonSchema() as Schema
  return whole.properties?.[key] ?? {}
}

/** The words that a value may be; none where it may be anything else as well. */
export function choicesOf({ anyOf = [] }: Schema): string[] {
  const words = anyOf.flatMap(each => (typeof each.const === 'string' ? [each.const] : []))
  return words.length === anyOf.length ? words : []
}
