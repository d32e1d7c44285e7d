import type { JsonValue } from '../../core/index.ts'

/** As much as the answer of one tool may hold: what is longer helps no small model. */
const LONGEST = 6_000
const MOST_NODES = 400
const DEEPEST = 6

/** A tool's answer as JSON, or why it is none in a few words. */
export type ReadResult = { ok: true; result: JsonValue } | { ok: false; problem: string }

class Unfit extends Error {}

/**
 * Makes plain JSON out of whatever a handler gave. A circle, something too large or too deep, what is no data, a text
 * that begins with `error` and an object whose `error` is a text are failed results.
 */
export function readResult(given: unknown): ReadResult {
  try {
    let nodes = 0
    let length = 0
    const grow = (by: number) => {
      length += by
      if (length > LONGEST) throw new Unfit('it answered too much')
    }
    const plain = (value: unknown, above: readonly object[]): JsonValue => {
      if (++nodes > MOST_NODES) throw new Unfit('it answered too much')
      if (typeof value === 'string') {
        grow(value.length)
        return value.toWellFormed()
      }
      if (typeof value === 'number') return Number.isFinite(value) ? value : null
      if (value === null || value === undefined) return null
      if (typeof value === 'boolean') return value
      if (typeof value !== 'object') throw new Unfit('its answer is no data')
      if (above.includes(value)) throw new Unfit('its answer runs in a circle')
      if (above.length >= DEEPEST) throw new Unfit('its answer is nested too deeply')
      const inside = [...above, value]
      if (Array.isArray(value)) return value.map(each => plain(each, inside))
      const entries = Object.entries(value).filter(([, each]) => each !== undefined)
      return Object.fromEntries(
        entries.map(([key, each]) => {
          grow(key.length)
          return [key, plain(each, inside)]
        }),
      )
    }
    const result = plain(given, [])
    const told = toldError(result)
    return told === null ? { ok: true, result } : { ok: false, problem: told }
  } catch (error) {
    return { ok: false, problem: error instanceof Unfit ? error.message : 'its answer could not be read' }
  }
}

function toldError(result: JsonValue): string | null {
  if (typeof result === 'string')
    return /^\s*(error|failed|failure|exception)\b/i.test(result) ? result : null
  if (result === null || typeof result !== 'object' || Array.isArray(result)) return null
  return typeof result.error === 'string' && result.error ? result.error : null
}
