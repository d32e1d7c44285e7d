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

/** The value out of a column; NULL is null. */
export function toValue(text: string | null): JsonValue {
  return text === null ? null : (JSON.parse(text) as JsonValue)
}

/** The object out of a column; NULL is an empty one. */
export function toObject(text: string | null): JsonObject {
  return text === null ? {} : (JSON.parse(text) as JsonObject)
}
