import type { JsonValue } from '../core/index.ts'
import type { JsonObject } from '../store/index.ts'

/** Whether a value is a JSON object: neither null nor a list. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
