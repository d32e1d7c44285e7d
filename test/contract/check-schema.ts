/** A JSON Schema checker for the keywords that our schema uses; any other keyword is an error of the schema. */
type Schema = { [key: string]: unknown }

const ANNOTATIONS = new Set(['$schema', '$defs', 'title', 'description'])

export function accepts(schema: Schema, value: unknown, root: Schema = schema): boolean {
  return Object.entries(schema).every(([keyword, operand]) => {
    if (ANNOTATIONS.has(keyword)) return true
    const check = KEYWORDS[keyword]
    if (!check) throw new Error(`keyword ${keyword}`)
    return check(operand as never, value, schema, root)
  })
}

type Check = (operand: never, value: unknown, schema: Schema, root: Schema) => boolean

const isMap = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const TYPES: Record<string, (value: unknown) => boolean> = {
  object: isMap,
  array: Array.isArray,
  string: value => typeof value === 'string',
  number: value => typeof value === 'number',
  integer: Number.isInteger,
  boolean: value => typeof value === 'boolean',
}

const KEYWORDS: Record<string, Check> = {
  $ref: (ref: string, value, _schema, root) => {
    const keys = ref.replace('#/', '').split('/')
    const target = keys.reduce<unknown>((at, key) => (isMap(at) ? at[key] : undefined), root)
    if (!isMap(target)) throw new Error(`no ${ref}`)
    return accepts(target, value, root)
  },
  type: (type: string, value) => {
    const is = TYPES[type]
    if (!is) throw new Error(`type ${type}`)
    return is(value)
  },
  const: (wanted: unknown, value) => wanted === value,
  anyOf: (all: Schema[], value, _schema, root) => all.some(one => accepts(one, value, root)),
  oneOf: (all: Schema[], value, _schema, root) => all.filter(one => accepts(one, value, root)).length === 1,
  properties: (properties: Record<string, Schema>, value, _schema, root) =>
    !isMap(value) ||
    Object.entries(properties).every(([key, one]) => !(key in value) || accepts(one, value[key], root)),
  additionalProperties: (rest: boolean | Schema, value, { properties }, root) =>
    !isMap(value) ||
    Object.keys(value)
      .filter(key => !isMap(properties) || !(key in properties))
      .every(key => (typeof rest === 'boolean' ? rest : accepts(rest, value[key], root))),
  required: (keys: string[], value) => !isMap(value) || keys.every(key => key in value),
  items: (items: Schema, value, _schema, root) =>
    !Array.isArray(value) || value.every(item => accepts(items, item, root)),
  minItems: (least: number, value) => !Array.isArray(value) || value.length >= least,
  maxItems: (most: number, value) => !Array.isArray(value) || value.length <= most,
  minProperties: (least: number, value) => !isMap(value) || Object.keys(value).length >= least,
  maxProperties: (most: number, value) => !isMap(value) || Object.keys(value).length <= most,
  minLength: (least: number, value) => typeof value !== 'string' || value.length >= least,
  maxLength: (most: number, value) => typeof value !== 'string' || value.length <= most,
  pattern: (pattern: string, value) => typeof value !== 'string' || new RegExp(pattern, 'u').test(value),
  minimum: (least: number, value) => typeof value !== 'number' || value >= least,
  maximum: (most: number, value) => typeof value !== 'number' || value <= most,
}
