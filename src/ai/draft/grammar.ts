/** JSON Schema as GBNF: of the words that forms of drafts are made of. */
import type { JsonValue } from '../../core/index.ts'
import { ASCII_CHARACTER, CHARACTER, literal, oneOf, quoted } from '../gbnf.ts'
import type { Schema } from './form.ts'

/** Of what a pattern repeats without a nearer bound. */
const MOST_REPEATED = 24
const KEY = '^[a-z][a-z0-9_]{0,23}$'

/** A grammar of which every text is JSON that fits the schema. `ascii`: no letters that come in pieces. */
export function grammarOf(schema: Schema, { ascii = false } = {}): string {
  return new Writer(schema, ascii).text
}

class Writer {
  readonly #ascii: boolean
  /** Bodies by rule name, and the names by what they were made of. */
  readonly #rules = new Map<string, string>()
  readonly #known = new Map<string, string>()
  readonly text: string

  constructor({ $defs, ...root }: Schema, ascii: boolean) {
    this.#ascii = ascii
    const body = this.#body(root)
    for (const [name, each] of Object.entries(($defs ?? {}) as Record<string, Schema>))
      this.#rules.set(name, this.#body(each))
    const rules = [...this.#rules].map(([name, each]) => `${name} ::= ${each}`)
    const char = `char ::= ${ascii ? ASCII_CHARACTER : CHARACTER}`
    this.text = [`root ::= ${body}`, ...rules, char, ''].join('\n')
  }

  /** The rule of a schema; equal ones share one. */
  #rule(schema: Schema): string {
    if (typeof schema.$ref === 'string') return schema.$ref.replace('#/$defs/', '')
    const key = JSON.stringify(schema)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const name = `r${this.#known.size}`
    this.#known.set(key, name)
    this.#rules.set(name, this.#body(schema))
    return name
  }

  #body(schema: Schema): string {
    if (Array.isArray(schema.anyOf))
      return (schema.anyOf as Schema[]).map(each => this.#rule(each)).join(' | ')
    if (Array.isArray(schema.enum)) return oneOf(schema.enum.map(String), this.#ascii)
    switch (schema.type) {
      case 'string':
        return typeof schema.pattern === 'string'
          ? `"\\"" ( ${patternRule(schema.pattern)} ) "\\""`
          : quoted('char', numberOf(schema.maxLength, 200), numberOf(schema.minLength, 0))
      case 'integer':
        return '"0" | [1-9] [0-9]{0,3}'
      case 'number':
        return '"-"? ("0" | [1-9] [0-9]{0,5}) ("." [0-9]{1,2})?'
      case 'boolean':
        return '"true" | "false"'
      case 'array':
        return repeated('[', this.#rule(schema.items as Schema), ']', schema.minItems, schema.maxItems)
      case 'object':
        return schema.properties
          ? this.#object(schema.properties as Record<string, Schema>, schema.required)
          : repeated('{', this.#entry(schema), '}', schema.minProperties, schema.maxProperties)
      default:
        throw new TypeError(`No grammar is written for ${JSON.stringify(schema).slice(0, 100)}.`)
    }
  }

  #entry({ additionalProperties }: Schema): string {
    const key = this.#rule({ type: 'string', pattern: KEY })
    return `(${key} ": " ${this.#rule(additionalProperties as Schema)})`
  }

  /** Keys in their order, but that the first is one that has to be there where there is such a one. */
  #object(properties: Record<string, Schema>, required: JsonValue | undefined): string {
    const needed = new Set(Array.isArray(required) ? required : [])
    const keys = Object.keys(properties)
    const first = keys.find(key => needed.has(key))
    const member = (key: string) =>
      `${literal(`${JSON.stringify(key)}: `)} ${this.#rule(properties[key] as Schema)}`
    const behind = (rest: readonly string[]) =>
      rest.map(key => (needed.has(key) ? `", " ${member(key)}` : `(", " ${member(key)})?`)).join(' ')
    if (first !== undefined) return `"{" ${member(first)} ${behind(keys.filter(key => key !== first))} "}"`
    const ways = keys.map((key, i) => `${member(key)} ${behind(keys.slice(i + 1))}`)
    return `"{" (${ways.join(' | ')})? "}"`
  }
}

function repeated(
  open: string,
  rule: string,
  close: string,
  least: JsonValue | undefined,
  most: JsonValue | undefined,
): string {
  const [from, to] = [numberOf(least, 0), numberOf(most, 8)]
  const rest = to > 1 ? ` (", " ${rule}){${Math.max(0, from - 1)},${to - 1}}` : ''
  return from === 0 ? `"${open}" (${rule}${rest})? "${close}"` : `"${open}" ${rule}${rest} "${close}"`
}

const numberOf = (value: JsonValue | undefined, otherwise: number) =>
  typeof value === 'number' ? value : otherwise

/** A regular expression over plain letters, whole texts only, as the body of a rule. Throws on what it does not know. */
function patternRule(pattern: string): string {
  const source = pattern.replace(/^\^/, '').replace(/\$$/, '')
  const parts = source.matchAll(/\[(?!\^)[^\]]*\]|\(\?:|[()|]|\{\d+(?:,\d*)?\}|[+*?]|\\[^\w]|[\w:-]/gy)
  const out: string[] = []
  let length = 0
  for (const [part] of parts) {
    length += part.length
    out.push(partRule(part))
  }
  if (length !== source.length) throw new TypeError(`No grammar is written for the pattern ${pattern}.`)
  return out.join(' ').replace(/ (?=[{?])/g, '')
}

function partRule(part: string): string {
  if (part === '(?:') return '('
  if (part === '+' || part === '*') return `{${part === '+' ? 1 : 0},${MOST_REPEATED}}`
  if (part.startsWith('{')) {
    const [least = '0', most = least] = part.slice(1, -1).split(',')
    return `{${least},${Math.max(Number(least), Math.min(Number(most || MOST_REPEATED), MOST_REPEATED))}}`
  }
  // A dash stands for itself at the beginning.
  if (part.startsWith('[')) return part.endsWith('-]') ? `[-${part.slice(1, -2)}]` : part
  if (part === '(' || part === ')' || part === '|' || part === '?') return part
  return literal(part.replace('\\', ''))
}
