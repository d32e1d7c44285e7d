import { Kind, type TSchema } from '@sinclair/typebox'
import type { JsonValue } from '../../core/index.ts'
import { unwrapped } from '../decision/read.ts'
import { CHARACTER, literal, oneOf, quoted } from '../gbnf.ts'
import { choicesOf, FINISH, type Tool } from '../tools.ts'

/** Of a text argument that does not say. */
const LONGEST_TEXT = 200
const MOST_ITEMS = 8
const LONGEST_ANSWER = 8_000

/** What a model may say in the tool phase: a call of one of these tools, or that it has done. */
export interface CallForm {
  schema: { [key: string]: JsonValue }
  grammar: string
  maxTokens: number
}

export function callForm(tools: readonly Tool[]): CallForm {
  const rules = [
    `root ::= ${[...tools.map((_, i) => `call-${i}`), 'done'].join(' | ')}`,
    `done ::= ${literal(JSON.stringify({ tool: FINISH, args: {} }).replaceAll(':', ': ').replace(',', ', '))}`,
  ]
  for (const [i, tool] of tools.entries()) {
    rules.push(`call-${i} ::= ${literal(`{"tool": ${JSON.stringify(tool.name)}, "args": {`)} args-${i} "}}"`)
    rules.push(`args-${i} ::= ${argsRule(i, tool, rules)}`)
  }
  const schemas = [
    ...tools.map(({ name, parameters }) => callSchema(name, plainSchema(parameters))),
    callSchema(FINISH, { type: 'object', properties: {}, additionalProperties: false }),
  ]
  return {
    schema: { anyOf: schemas },
    grammar: [...rules, `char ::= ${CHARACTER}`, ''].join('\n'),
    maxTokens: 60 + Math.max(0, ...tools.map(({ parameters }) => longest(parameters))),
  }
}

function callSchema(name: string, args: JsonValue): JsonValue {
  return {
    type: 'object',
    properties: { tool: { type: 'string', enum: [name] }, args },
    required: ['tool', 'args'],
    additionalProperties: false,
  }
}

/** The schema as plain JSON, in the words that servers know. */
function plainSchema(schema: TSchema): JsonValue {
  const choices = choicesOf(schema)
  if (choices) return { type: 'string', enum: [...choices] }
  switch (schema[Kind]) {
    case 'Object': {
      const properties = Object.entries(schema.properties as Record<string, TSchema>)
      return {
        type: 'object',
        properties: Object.fromEntries(properties.map(([name, each]) => [name, plainSchema(each)])),
        required: schema.required ?? [],
        additionalProperties: false,
      }
    }
    case 'Integer':
      return { type: 'integer', minimum: schema.minimum ?? 0, maximum: schema.maximum ?? 1_000_000 }
    case 'Boolean':
      return { type: 'boolean' }
    case 'Array':
      return {
        type: 'array',
        items: plainSchema(schema.items),
        minItems: schema.minItems ?? 0,
        maxItems: schema.maxItems ?? MOST_ITEMS,
      }
    default:
      return { type: 'string', minLength: schema.minLength ?? 0, maxLength: schema.maxLength ?? LONGEST_TEXT }
  }
}

/** Arguments in one order, the required first; any of the others may be left out. */
function argsRule(i: number, { parameters }: Tool, rules: string[]): string {
  const required = new Set<string>(parameters.required ?? [])
  const all = Object.entries(parameters.properties)
  const member = ([name, schema]: [string, TSchema], n: number) => {
    rules.push(`arg-${i}-${n} ::= ${literal(`${JSON.stringify(name)}: `)} ${valueRule(schema)}`)
    return { rule: `arg-${i}-${n}`, needed: required.has(name) }
  }
  const members = all.map(member)
  const needed = members.filter(each => each.needed).map(({ rule }) => rule)
  const optional = members.filter(each => !each.needed).map(({ rule }) => `(", " ${rule})?`)
  if (needed.length) return [needed.join(' ", " '), ...optional].join(' ')
  const free = members.map(({ rule }) => rule)
  if (!free.length) return '""'
  // Whichever of them stands first has no comma before it.
  const ways = free.map((rule, n) => [rule, ...optional.slice(n + 1)].join(' '))
  return `(${ways.join(' | ')})?`
}

function valueRule(schema: TSchema): string {
  const choices = choicesOf(schema)
  if (choices) return `(${oneOf(choices)})`
  switch (schema[Kind]) {
    case 'Integer': {
      const digits = `[1-9] [0-9]{0,${String(schema.maximum ?? 999_999).length - 1}}`
      return (schema.minimum ?? 0) > 0 ? digits : `("0" | ${digits})`
    }
    case 'Boolean':
      return '("true" | "false")'
    case 'Array': {
      const item = valueRule(schema.items)
      const least = Math.max(1, schema.minItems ?? 1)
      const most = schema.maxItems ?? MOST_ITEMS
      return `"[" ${item} (", " ${item}){${least - 1},${most - 1}} "]"`
    }
    default:
      return quoted('char', schema.maxLength ?? LONGEST_TEXT, schema.minLength ?? 0)
  }
}

/** Tokens that any value fits into, even where each character takes one. */
function longest(schema: TSchema): number {
  const choices = choicesOf(schema)
  if (choices) return Math.max(...choices.map(each => each.length)) + 2
  if (schema[Kind] === 'Object') {
    const all = Object.entries(schema.properties as Record<string, TSchema>)
    return all.reduce((sum, [name, each]) => sum + name.length + 6 + longest(each), 0)
  }
  if (schema[Kind] === 'Array') return (schema.maxItems ?? MOST_ITEMS) * (longest(schema.items) + 2)
  return schema[Kind] === 'String' ? (schema.maxLength ?? LONGEST_TEXT) + 2 : 10
}

export type ReadCall =
  | { is: 'finish' }
  | { is: 'call'; name: string; tool: Tool; args: { [name: string]: JsonValue } }
  /** A tool that the step does not have. */
  | { is: 'unlisted'; name: string; args: JsonValue }
  /** `problem` repeats nothing of what was said. */
  | { is: 'malformed'; problem: string }

/** Reads a call, whoever held it to the form. `toolOf`: the tools of the step, those that may not be used included. */
export function readCall(text: string, toolOf: (name: string) => Tool | undefined): ReadCall {
  const malformed = (problem: string): ReadCall => ({ is: 'malformed', problem })
  if (text.length > LONGEST_ANSWER) return malformed('it is too long')
  let said: unknown
  try {
    said = JSON.parse(unwrapped(text))
  } catch {
    return malformed('it is not one JSON object and nothing else')
  }
  if (said === null || typeof said !== 'object' || Array.isArray(said))
    return malformed('it is no JSON object')
  const { tool: name, args = {}, ...rest } = said as { [key: string]: JsonValue }
  if (typeof name !== 'string') return malformed('“tool” is no text')
  if (Object.keys(rest).length) return malformed('there are other keys than tool and args')
  if (name === FINISH) return { is: 'finish' }
  const tool = toolOf(name)
  if (!tool) return { is: 'unlisted', name: name.slice(0, 64).toWellFormed(), args }
  if (args === null || typeof args !== 'object' || Array.isArray(args))
    return malformed('“args” is no object')
  const meant = withinRange(tool, args)
  const misfit = misfitOf(tool, meant)
  if (misfit !== null) return malformed(`the arguments of ${tool.name} do not fit: ${misfit}`)
  return { is: 'call', name, tool, args: meant }
}

/** A whole number out of its range is taken for the nearest within: no grammar holds a range. */
function withinRange({ parameters }: Tool, args: { [name: string]: JsonValue }): typeof args {
  const meant = { ...args }
  for (const [name, schema] of Object.entries(parameters.properties)) {
    const value = Object.hasOwn(args, name) ? args[name] : undefined
    if (schema[Kind] !== 'Integer' || typeof value !== 'number') continue
    meant[name] = Math.min(schema.maximum ?? 1_000_000, Math.max(schema.minimum ?? 0, value))
  }
  return meant
}

/** What does not fit, in words that are ours and the site's, never the model's; null: all fits. */
function misfitOf({ parameters }: Tool, args: { [name: string]: JsonValue }): string | null {
  const { properties, required = [] } = parameters
  const names = Object.keys(properties)
  if (Object.keys(args).some(name => !names.includes(name)))
    return `they may be ${names.join(', ') || 'none'}`
  const missing = required.find(name => !Object.hasOwn(args, name))
  if (missing !== undefined) return `${missing} is missing`
  for (const [name, schema] of Object.entries(properties)) {
    const should = Object.hasOwn(args, name) ? misfit(schema, args[name]) : null
    if (should !== null) return `${name} is ${should}`
  }
  return null
}

/** What a value should be and is not. Lengths are counted in characters, as the grammar does. */
function misfit(schema: TSchema, value: unknown): string | null {
  const choices = choicesOf(schema)
  if (choices) return choices.some(each => each === value) ? null : `one of ${choices.join(', ')}`
  switch (schema[Kind]) {
    case 'Integer':
      return Number.isInteger(value) ? null : 'a whole number'
    case 'Boolean':
      return typeof value === 'boolean' ? null : 'true or false'
    case 'Array': {
      const { items, minItems = 0, maxItems = MOST_ITEMS } = schema
      const fits = Array.isArray(value) && value.length >= minItems && value.length <= maxItems
      if (!fits || value.some(each => misfit(items, each) !== null))
        return `a list of ${minItems} to ${maxItems} times ${misfit(items, null) ?? 'a text'}`
      return null
    }
    default: {
      const { minLength = 0, maxLength = LONGEST_TEXT } = schema
      const length = typeof value === 'string' ? [...value].length : -1
      return length >= minLength && length <= maxLength
        ? null
        : `a text of ${minLength} to ${maxLength} characters`
    }
  }
}

/** A call in one spelling, by which a repeat is known. */
export function callKey(name: string, args: JsonValue): string {
  return JSON.stringify([name, args], (_, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}
