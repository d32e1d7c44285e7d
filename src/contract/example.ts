/** What the parameters of a kind look like, for an author who wrote something else in their place. */
import type { TSchema } from '@sinclair/typebox'
import { DURATION } from './duration.ts'
import { CLOCK, NAME } from './kinds/params.ts'

const FROM_TO = /^(\d{1,2}:\d\d)\s*(?:-|–|to)\s*(\d{1,2}:\d\d)$/

const propertiesOf = (schema: TSchema): [string, TSchema][] => Object.entries(schema.properties ?? {})
const requiredOf = (schema: TSchema): [string, TSchema][] =>
  propertiesOf(schema).filter(([key]) => (schema.required ?? []).includes(key))

/** `a map with schema, cameras and where, such as { schema: plate.recognized.v1 }`. */
export function mapWords(schema: TSchema): string {
  const keys = propertiesOf(schema).map(([key]) => key)
  if (!keys.length) return 'a map of keys and values'
  const all = keys.length > 1 ? `${keys.slice(0, -1).join(', ')} and ${keys.at(-1)}` : keys.join()
  return `a map with ${requiredOf(schema).length ? '' : 'any of '}${all}, such as ${exampleOf(schema)}`
}

/** The map that was probably meant by a text in its place; null: that is not plain. */
export function mapMeant(schema: TSchema, text: string): string | null {
  const required = requiredOf(schema)
  const window = FROM_TO.exec(text.trim())
  if (window && required.length === 2 && required.every(([key]) => key === 'from' || key === 'to')) {
    const [from, to] = [window[1] ?? '', window[2] ?? ''].map(time => time.padStart(5, '0'))
    return fits(required[0]?.[1], from) && fits(required[1]?.[1], to)
      ? `{ from: "${from}", to: "${to}" }`
      : null
  }
  const [only] = required
  return only && required.length === 1 && only[1].pattern && fits(only[1], text)
    ? `{ ${only[0]}: ${text} }`
    : null
}

const fits = (schema: TSchema | undefined, text = ''): boolean =>
  schema?.type === 'string' && new RegExp(schema.pattern ?? '').test(text)

/** A value that fits, as the author would write it in a line. */
function exampleOf(schema: TSchema): string {
  if (schema.const !== undefined) return String(schema.const)
  if (Array.isArray(schema.anyOf)) return exampleOf(schema.anyOf[0])
  switch (schema.type) {
    case 'object': {
      const shown = requiredOf(schema).length ? requiredOf(schema) : propertiesOf(schema).slice(0, 1)
      return shown.length
        ? `{ ${shown.map(([key, inner]) => `${key}: ${exampleOf(inner)}`).join(', ')} }`
        : '{}'
    }
    case 'array':
      return `[${exampleOf(schema.items)}]`
    case 'integer':
    case 'number':
      return String(schema.minimum ?? 1)
    default:
      return exampleText(schema)
  }
}

function exampleText({ pattern, expects }: TSchema): string {
  if (pattern === DURATION) return '5m'
  if (pattern === CLOCK) return '"22:00"'
  if (pattern === NAME) return 'gate'
  const such = /such as (\S+)$/.exec(String(expects))?.[1]
  if (such) return such
  return String(expects).startsWith('role:') ? 'role:guard' : '"…"'
}
