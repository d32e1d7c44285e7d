/** What a value that does not fit should have been. */
import type { TSchema } from '@sinclair/typebox'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import { DURATION, guessDuration } from './duration.ts'
import { mapMeant, mapWords } from './example.ts'
import { CLOCK, NAME } from './kinds/params.ts'
import { yesNo } from './matcher.ts'
import { nearest } from './nearest.ts'
import type { Src } from './source.ts'

interface Repair {
  code: string
  message: string
  replacement?: { title: string; insert: string }
}

const CODES: Readonly<Record<string, string>> = {
  [DURATION]: 'invalid_duration',
  [CLOCK]: 'invalid_time',
  [NAME]: 'invalid_name',
}

export function repairOf(error: ValueError, place: Src, key: string, text: string): Repair {
  const { schema } = error
  const raw = text.slice(place.from, place.to)
  const label = /^\d+$/.test(key) || key === '' ? 'This' : key
  const choices = typeof schema.const === 'string' ? [schema.const] : choicesOf(schema.anyOf)
  if (choices) return choice(label, choices, place, raw)
  const expected = typeof schema.expects === 'string' ? schema.expects : fallback(error)
  const message = `${label} must be ${expected}.`
  if (place.type === 'scalar' && place.value === null) {
    return { code: 'empty_value', message: `${label} is empty: give ${expected}, or take the line out.` }
  }
  const code = CODES[String(schema.pattern)]
  const insert = guess(schema, place, raw)
  const replacement = insert === null ? {} : { replacement: { title: `Write ${insert}`, insert } }
  if (code) return { code, message, ...replacement }
  if (schema.type === 'string' && place.type === 'scalar' && typeof place.value !== 'string') {
    return {
      code: 'not_text',
      message: `${label} must be text: put ${raw.slice(0, 60)} in quotes.`,
      ...replacement,
    }
  }
  return { code: 'invalid_value', message, ...replacement }
}

/** The words that may stand where some other shapes may stand too. */
const wordsIn = (anyOf: unknown): string[] =>
  Array.isArray(anyOf)
    ? anyOf.flatMap(one => (typeof one?.const === 'string' ? [one.const] : wordsIn(one?.anyOf)))
    : []

const choicesOf = (anyOf: unknown): string[] | null =>
  Array.isArray(anyOf) && anyOf.every(one => typeof one?.const === 'string')
    ? anyOf.map(one => one.const)
    : null

function choice(label: string, choices: readonly string[], place: Src, raw: string): Repair {
  const given = place.type === 'scalar' ? place.value : null
  const value = typeof given === 'boolean' ? yesNo(given) : String(given ?? '')
  const lower = value.toLowerCase()
  const meant = choices.find(one => lower.startsWith(one.toLowerCase())) ?? nearest(lower, choices)
  const message = `${label} must be one of ${choices.join(', ')}${raw && raw.length <= 40 ? `, not ${raw}` : ''}.`
  return {
    code: 'invalid_choice',
    message,
    ...(meant && { replacement: { title: `Change it to ${meant}`, insert: meant } }),
  }
}

function fallback({ type, schema }: ValueError): string {
  switch (type) {
    case ValueErrorType.Object:
      return mapWords(schema)
    case ValueErrorType.Array:
      return 'a list'
    case ValueErrorType.ObjectMinProperties:
      return 'a map with at least one key'
    case ValueErrorType.ObjectMaxProperties:
      return `a map with at most ${schema.maxProperties} keys`
    case ValueErrorType.Literal:
      return JSON.stringify(schema.const)
    case ValueErrorType.StringMaxLength:
      return `at most ${schema.maxLength} characters`
    default:
      return schema.type === 'string' ? 'text' : schema.type === 'number' ? 'a number' : 'something else'
  }
}

function guess(schema: TSchema, place: Src, raw: string): string | null {
  const { pattern, type, anyOf, expects } = schema
  if (place.type !== 'scalar' || place.value === null) return null
  const value = String(place.value).trim()
  if (type === 'object') return mapMeant(schema, value)
  if (pattern === DURATION) return guessDuration(value)
  if (pattern === CLOCK) return guessClock(value)
  if (pattern === NAME) {
    const slug = value.toLowerCase().replace(/\s+/g, '-')
    return new RegExp(NAME).test(slug) ? slug : null
  }
  const bare = /^\{(.*)\}$/.exec(value)?.[1]
  if (bare && pattern && new RegExp(pattern).test(bare)) return bare
  if (String(expects).startsWith('role:')) return new RegExp(NAME).test(value) ? `role:${value}` : null
  if (anyOf) return nearest(value, wordsIn(anyOf))
  if (type === 'string' && typeof place.value !== 'string') {
    return pattern === undefined || new RegExp(pattern).test(raw) ? JSON.stringify(raw) : null
  }
  if ((type === 'number' || type === 'integer') && /^-?\d{1,9}(\.\d{1,9})?$/.test(value) && !place.plain)
    return value
  if (type === 'array') return `[${raw}]`
  return null
}

/** `6:00` → `"06:00"`, `2200` → `"22:00"`. */
function guessClock(value: string): string | null {
  const match = /^(\d{1,2}):?(\d{2})$/.exec(value)
  if (!match) return null
  const time = `${(match[1] ?? '').padStart(2, '0')}:${match[2]}`
  return new RegExp(CLOCK).test(time) ? JSON.stringify(time) : null
}
