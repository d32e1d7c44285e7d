import type { JsonValue } from '../../../src/core/index.ts'

/** Whether a value fits a JSON Schema, for the words that ours use; another word throws. */
export function fits(schema: JsonValue | undefined, value: unknown): boolean {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) throw new Error('no schema')
  return Object.entries(schema).every(([word, operand]) => {
    const check = words[word]
    if (!check) throw new Error(`the word ${word} is not known`)
    return check(operand, value, schema)
  })
}

type Check = (operand: JsonValue, value: unknown, schema: { [key: string]: JsonValue }) => boolean

const isObject = (value: unknown): value is { [key: string]: JsonValue } =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const words: { [word: string]: Check } = {
  type: (type, value) => {
    if (type === 'array') return Array.isArray(value)
    if (type === 'integer') return Number.isInteger(value)
    return type === 'object' ? isObject(value) : type === 'null' ? value === null : type === typeof value
  },
  items: (schema, value) => !Array.isArray(value) || value.every(each => fits(schema, each)),
  minItems: (least, value) => !Array.isArray(value) || value.length >= Number(least),
  maxItems: (most, value) => !Array.isArray(value) || value.length <= Number(most),
  minLength: (least, value) => typeof value !== 'string' || [...value].length >= Number(least),
  enum: (values, value) => Array.isArray(values) && values.some(each => each === value),
  anyOf: (schemas, value) => Array.isArray(schemas) && schemas.some(each => fits(each, value)),
  maxLength: (most, value) => typeof value !== 'string' || [...value].length <= Number(most),
  minimum: (least, value) => typeof value !== 'number' || value >= Number(least),
  maximum: (most, value) => typeof value !== 'number' || value <= Number(most),
  required: (names, value) =>
    !isObject(value) || (Array.isArray(names) && names.every(name => Object.hasOwn(value, String(name)))),
  properties: (properties, value) =>
    !isObject(value) ||
    Object.entries(properties as { [name: string]: JsonValue }).every(
      ([name, schema]) => !Object.hasOwn(value, name) || fits(schema, value[name]),
    ),
  additionalProperties: (allowed, value, { properties }) =>
    allowed !== false ||
    !isObject(value) ||
    Object.keys(value).every(name => Object.hasOwn(properties as object, name)),
}
