import type { JsonValue } from '../../core/index.ts'
import type { SitePort } from '../types.ts'

/** How long ago something was, for a model: `12 s`, `5 min`, `3 h`, `2 days`. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 120) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`
}

export const old = (at: number | null, now: number): string =>
  at === null ? 'of unknown age' : `${span(now - at)} old`
export const ago = (at: number, now: number): string => `${span(now - at)} ago`

/** A camera as the site's people call it: by its first role, else by its id. */
export function cameraWord(cameraId: string | null, site: SitePort): string | null {
  if (cameraId === null) return null
  const shared = (role: string) => site.camerasWithRole(role).length > 1
  return site.rolesOf(cameraId).find(role => !shared(role)) ?? cameraId
}

/** One line of an answer, as long as helps. */
export function short(text: string, longest = 160): string {
  const flat = text.replace(/\s+/gu, ' ').trim()
  const letters = [...flat]
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : flat
}

const MOST_VALUES = 6

/** The plain values of a payload, the first few. */
export function plainValues(payload: JsonValue): { [name: string]: JsonValue } {
  if (payload === null || typeof payload !== 'object' || Array.isArray(payload)) return {}
  const plain = Object.entries(payload).flatMap(([name, value]): [string, JsonValue][] => {
    if (typeof value === 'string') return [[short(name, 40), short(value, 80)]]
    return value === null || typeof value === 'object' ? [] : [[short(name, 40), value]]
  })
  return Object.fromEntries(plain.slice(0, MOST_VALUES))
}
