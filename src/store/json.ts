import type { JsonValue } from '../core/index.ts'
import type { JsonObject } from './rows.ts'

/** A JSON value for its column; null is NULL. */
export function toText(value: JsonValue): string | null {
  return value === null ? null : JSON.stringify(value)
}

/** An object for its column; an empty one is NULL. */
export function objectToText(value: JsonObject): string | null {
  for (const _ in value) return JSON.stringify(value)
  return null
}

/** A row of which a JSON column holds something else: the file was damaged, or changed from outside. */
export interface MayBeBroken {
  broken?: true
}

/**
 * The value out of a column; NULL is null. What is no JSON throws, or is null where the row can be marked: one such
 * row must not hide all others.
 */
export function toValue(text: string | null, row?: MayBeBroken): JsonValue {
  if (text === null) return null
  try {
    return JSON.parse(text) as JsonValue
  } catch (error) {
    if (!row) throw error
    row.broken = true
    return null
  }
}

/** The object out of a column; NULL is an empty one. */
export function toObject(text: string | null, row: MayBeBroken): JsonObject {
  return (toValue(text, row) ?? {}) as JsonObject
}

/** The list out of a column; NULL is an empty one. */
export function toList<T>(text: string | null, row: MayBeBroken): T[] {
  return (toValue(text, row) ?? []) as T[]
}
