import type { AskedSpec, FieldValue } from '../types.ts'
import { LONGEST, type Question, SELF_REPORTED, UNSURE, valuesOf } from './question.ts'
import { GREATEST } from './schema.ts'

/** More than any answer has, thinking included. */
const LONGEST_ANSWER = 64_000
/** Unseen characters, and those that turn the direction of text. */
const UNSEEN = /[\p{Cc}\p{Cs}\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu

/** What a model answered. */
export interface Answer {
  /** Null: it could not tell. */
  fields: { [name: string]: FieldValue }
  /** One line. */
  reason: string
  /** One of the options or `unsure`; null where rules decide. */
  decision: string | null
  /** What it said of itself, 0 to 1. */
  selfReported: number | null
}

/** `problem`: what is wrong, in a few words that repeat nothing of the answer. */
export type ReadAnswer = { ok: true; answer: Answer } | { ok: false; problem: string }

class Wrong extends Error {}

/**
 * Reads an answer, whoever held it to the schema. A code fence around it and thinking before it are forgiven; a key
 * too many, missing or twice, a value that is no option, of another type or too long are not.
 */
export function readDecision(question: Question, text: string): ReadAnswer {
  try {
    return { ok: true, answer: read(question, text) }
  } catch (error) {
    if (error instanceof Wrong) return { ok: false, problem: error.message }
    throw error
  }
}

function read({ fields, options, selfReported }: Question, text: string): Answer {
  const object = objectIn(text)
  const wanted = [
    ...Object.keys(fields),
    'reason',
    ...(selfReported ? [SELF_REPORTED] : []),
    ...(options ? ['decision'] : []),
  ]
  for (const key of wanted) if (!object.has(key)) throw new Wrong(`the key “${key}” is missing`)
  if (object.size > wanted.length) throw new Wrong(`there are other keys than ${wanted.join(', ')}`)
  const told = Object.entries(fields).map(([name, field]) => [
    name,
    fieldValue(name, field, object.get(name)),
  ])
  return {
    fields: Object.fromEntries(told),
    reason: textOf('reason', object.get('reason'), LONGEST.reason),
    decision: options && optionOf('decision', [...options, UNSURE], object.get('decision')),
    selfReported: selfReported ? shareOf(object.get(SELF_REPORTED)) : null,
  }
}

function objectIn(text: string): Map<string, unknown> {
  if (text.length > LONGEST_ANSWER) throw new Wrong('it is too long')
  const bare = unwrapped(text)
  let value: unknown
  try {
    value = JSON.parse(bare)
  } catch {
    throw new Wrong('it is not one JSON object and nothing else')
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new Wrong('it is no JSON object')
  const entries = Object.entries(value)
  if (entries.some(([, each]) => each !== null && typeof each === 'object'))
    throw new Wrong('a value is a list or an object')
  // All values are plain by now: each colon outside of a text follows a key.
  const keys = bare.replace(/"(?:[^"\\]|\\.)*"/g, '').split(':').length - 1
  if (keys !== entries.length) throw new Wrong('a key is there twice')
  return new Map(entries)
}

/** Without thinking before the answer, and without a fence around it. */
export function unwrapped(text: string): string {
  const answer = text.trim().replace(/^<(think|thinking|thought)>[\s\S]*?<\/\1>/i, '')
  return (/^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/i.exec(answer)?.[1] ?? answer).trim()
}

function fieldValue(name: string, field: AskedSpec, value: unknown): FieldValue {
  const values = valuesOf(field)
  if (values) {
    const option = optionOf(name, values, value)
    if (option === UNSURE && !(Array.isArray(field.ask) && field.ask.includes(UNSURE))) return null
    return field.ask === 'yes_no' ? option === 'yes' : option
  }
  if (field.ask === 'number') return numberOf(name, value)
  const longest = field.ask === 'text' ? LONGEST.text : LONGEST.long_text
  return textOf(name, value, longest, field.ask === 'long_text') || null
}

function optionOf(name: string, values: readonly string[], value: unknown): string {
  const option = values.find(each => each === value)
  if (option === undefined) throw new Wrong(`“${name}” is none of ${values.join(', ')}`)
  return option
}

function numberOf(name: string, value: unknown): number | null {
  if (value === null) return null
  if (typeof value !== 'number') throw new Wrong(`“${name}” is no number`)
  if (Math.abs(value) > GREATEST) throw new Wrong(`“${name}” is greater than ${GREATEST}`)
  return value === 0 ? 0 : value
}

function shareOf(value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value === 0 ? 0 : value
  throw new Wrong(`“${SELF_REPORTED}” is no number from 0 to 1`)
}

function textOf(name: string, value: unknown, longest: number, lines = false): string {
  if (typeof value !== 'string') throw new Wrong(`“${name}” is no text`)
  // Half letters of a model that writes byte by byte come as several of these.
  if ([...value.replace(/\ufffd+/g, '\ufffd')].length > longest)
    throw new Wrong(`“${name}” is longer than ${longest} characters`)
  const parts = (lines ? value.split(/\r?\n/) : [value]).map(part =>
    part.replace(/\s+/gu, ' ').replace(UNSEEN, '').trim(),
  )
  return parts.join('\n').trim()
}
