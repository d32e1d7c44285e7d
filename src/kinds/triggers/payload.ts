import type { JsonValue } from '../../core/index.ts'
import type { Values } from '../types.ts'

const valueName = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/
/** More keys than any known schema has. */
const MOST_KEYS = 64
/** Names whose meaning the box sets. */
const ours = new Set(['trigger', 'camera', 'camera_name', 'camera_id'])

/**
 * A payload's keys as values under their own names, `plate_text` also as `plate`. Keys that a placeholder could
 * not name are left out, above all those with a dot: `trigger.plate` in a payload must not pass for the
 * trigger's.
 */
export function payloadValues(payload: Readonly<Record<string, JsonValue>>): Values {
  const values: Values = Object.create(null)
  let left = MOST_KEYS
  for (const key of Object.keys(payload)) {
    if (!valueName.test(key) || ours.has(key) || key === '__proto__') continue
    if (left-- === 0) break
    values[key] = payload[key] ?? null
  }
  if (typeof payload.plate_text === 'string') values.plate = payload.plate_text
  return values
}
