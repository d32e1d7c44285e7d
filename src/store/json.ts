import type { JsonValue } from '../core/index.ts'
import type { JsonObject } from './rows.ts'

/** JSON columns: null is NULL, and where the type says so an empty object or list is NULL as well. */

export function toText(value: JsonValue): string | null {
  return value === null ? null : JSON.stringify(value)
}

export function objectToText(value: JsonObject): string | null {
  for (const _ in value) return JSON.stringify(value)
  return null
}

export function toValue(text: string | null): JsonValue {
  return text === null ? null : (JSON.parse(text) as JsonValue)
}

export function toObject(text: string | null): JsonObject {
  return text === null ? {} : (JSON.parse(text) as JsonObject)
}
