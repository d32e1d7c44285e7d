import type { JsonValue } from '../../core/index.ts'
import type { AskedSpec } from '../types.ts'
import { DIGITS, LONGEST, type Question, SELF_REPORTED, UNSURE, valuesOf } from './question.ts'

/** The greatest number that fits the digits, either side of 0. */
export const GREATEST = 10 ** DIGITS.before

/** The JSON Schema of an answer. Plain words of the standard only: servers differ in what else they know. */
export function schemaOf({ fields, options, selfReported }: Question): { [key: string]: JsonValue } {
  const properties: { [key: string]: JsonValue } = {}
  for (const [name, field] of Object.entries(fields)) properties[name] = fieldSchema(field)
  properties.reason = { type: 'string', maxLength: LONGEST.reason }
  if (selfReported) properties[SELF_REPORTED] = { type: 'number', minimum: 0, maximum: 1 }
  if (options) properties.decision = { type: 'string', enum: [...options, UNSURE] }
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

function fieldSchema(field: AskedSpec): JsonValue {
  const values = valuesOf(field)
  if (values) return { type: 'string', enum: [...values] }
  if (field.ask === 'text' || field.ask === 'long_text')
    return { type: 'string', maxLength: LONGEST[field.ask] }
  return { anyOf: [{ type: 'number', minimum: -GREATEST, maximum: GREATEST }, { type: 'null' }] }
}
