/** What stands behind the question mark. Throws 400 for what cannot be meant. */
import { GatehouseError } from '../core/index.ts'

/** A number from 1 to `max`, or undefined where it is not given. */
export function numberIn(query: URLSearchParams, name: string, max: number): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const value = /^\d{1,16}$/.test(text) ? Number(text) : 0
  if (value < 1 || value > max) throw refuse(`\`${name}\` must be a number from 1 to ${max}.`)
  return value
}

/** Where a list goes on, and how long a page of it is. */
export function pageIn(query: URLSearchParams): { limit: number; before?: number } {
  const limit = numberIn(query, 'limit', 200) ?? 50
  const before = numberIn(query, 'before', Number.MAX_SAFE_INTEGER)
  return before === undefined ? { limit } : { limit, before }
}

/** Words out of `all`, with commas between them; undefined where none is given. */
export function wordsIn<T extends string>(
  query: URLSearchParams,
  name: string,
  all: readonly T[],
): T[] | undefined {
  const texts = query.getAll(name).flatMap(text => text.split(','))
  if (!texts.length) return undefined
  const known = all.filter(word => texts.includes(word))
  if (texts.some(text => !known.some(word => word === text)))
    throw refuse(`\`${name}\` must be of ${all.join(', ')}.`)
  return known
}

/** `true` or `false`; false where it is not given. */
export function isIn(query: URLSearchParams, name: string): boolean {
  return (wordsIn(query, name, ['true', 'false'])?.[0] ?? 'false') === 'true'
}

const refuse = (what: string) => new GatehouseError('bad_query', what, { status: 400 })
