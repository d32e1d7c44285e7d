import { identity } from '../contract/index.ts'
import type { JsonValue } from '../core/index.ts'

/** What a trigger says about whom or what, where its kind does not list it as an identity. */
const ALWAYS = ['plate', 'pressed_by']

/**
 * Whom or what a trigger is about, as one text: its camera and every identity that it bears, compared as
 * identities are. `identities`: names of values, with or without `trigger.` before them.
 */
export function identityOf(
  identities: ReadonlySet<string>,
  cameraId: string | null,
  value: (name: string) => JsonValue | undefined,
): string {
  const names = new Set([...identities, ...ALWAYS].filter(name => !name.startsWith('trigger.')))
  const known = [...names].sort().flatMap(name => {
    const it = value(name)
    const text = typeof it === 'string' || typeof it === 'number' ? identity(String(it)) : ''
    return text === '' ? [] : [[name, text]]
  })
  return JSON.stringify([cameraId, ...known])
}
