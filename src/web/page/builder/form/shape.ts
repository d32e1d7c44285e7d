/** By which sort of input a parameter is filled in. */
import { choicesOf, type Schema } from '../schema.ts'

export type Shape =
  | 'choice'
  | 'yes_no'
  | 'number'
  | 'duration'
  | 'clock'
  | 'text'
  | 'long'
  | 'checks'
  | 'texts'
  | 'input'
  | 'matchers'
  | 'fields'
  | 'rules'
  | 'map'
  | 'pairs'
  | 'json'

/** From where on a text is written over several lines. */
const LONG = 200

export function shapeOf(key: string, schema: Schema): Shape {
  if (key === 'fields' || key === 'rules' || key === 'input') return key
  if (choicesOf(schema).length > 0) return 'choice'
  switch (schema.type) {
    case 'boolean':
      return 'yes_no'
    case 'number':
    case 'integer':
      return 'number'
    case 'string':
      return textShape(schema)
    case 'array':
      return choicesOf(schema.items ?? {}).length > 0 ? 'checks' : 'texts'
    case 'object':
      return mapShape(schema)
    default:
      return takesTexts(schema) ? 'texts' : 'json'
  }
}

function textShape({ pattern = '', maxLength = 0 }: Schema): Shape {
  if (pattern.includes('ms|')) return 'duration'
  if (pattern.startsWith('^([01]')) return 'clock'
  return maxLength > LONG ? 'long' : 'text'
}

function mapShape({ properties, additionalProperties }: Schema): Shape {
  if (Object.keys(properties ?? {}).length > 0) return 'map'
  return typeof additionalProperties === 'object' && additionalProperties.anyOf ? 'matchers' : 'pairs'
}

/** One text or a list of them, whatever else. */
const takesTexts = ({ anyOf = [] }: Schema): boolean =>
  anyOf.some(each => (each.type === 'array' && each.items?.type === 'string') || takesTexts(each))
