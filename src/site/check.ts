import type { TSchema } from '@sinclair/typebox'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import { Value } from '@sinclair/typebox/value'
import { nearest } from '../contract/index.ts'
import type { Plain } from './yaml.ts'

export interface Finding {
  /** JSON pointer. */
  pointer: string
  code: string
  message: string
}

const MOST = 50

/** Everything in which `data` differs from the schema, one finding per place, in the schema's order. */
export function differences(schema: TSchema, data: Plain): Finding[] {
  const found = new Map<string, Finding>()
  for (const error of Value.Errors(schema, data)) {
    if (found.size >= MOST) break
    if (!found.has(error.path)) found.set(error.path, explain(error))
  }
  return [...found.values()]
}

function explain({ path, schema, type }: ValueError): Finding {
  const key = path
    .slice(path.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
  const dotted = path.slice(1).replaceAll('/', '.')
  if (type === ValueErrorType.ObjectAdditionalProperties) {
    if (schema.patternProperties) {
      const message = `${dotted}: ${key} is not a name: use letters, digits, _ and -, beginning with a letter.`
      return { pointer: path, code: 'bad_name', message }
    }
    const known = Object.keys((schema.properties as object | undefined) ?? {})
    const meant = nearest(key, known)
    const advice = meant ? `did you mean ${meant}?` : `use one of ${known.join(', ')}.`
    return { pointer: path, code: 'unknown_key', message: `${dotted} is not known: ${advice}` }
  }
  if (type === ValueErrorType.ObjectRequiredProperty) {
    const parent = path.slice(0, path.lastIndexOf('/'))
    const owner = parent.slice(1).replaceAll('/', '.')
    return { pointer: path, code: 'missing_key', message: `${owner} needs ${key}: add it.` }
  }
  const expects = typeof schema.expects === 'string' ? schema.expects : 'something else'
  return { pointer: path, code: 'wrong_value', message: `${dotted || 'The file'} must be ${expects}.` }
}
