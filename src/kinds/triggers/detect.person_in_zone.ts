import type { JsonValue } from '../../core/index.ts'
import { labelsOf } from '../../vision/index.ts'
import type { TriggerFunction } from '../types.ts'
import { cameraValues } from './camera.ts'
import { payloadValues } from './payload.ts'

/** What is looked for where a file does not say. */
const PERSON: readonly string[] = ['person']

/** The detector's labels that a file's words mean, in small letters; `vehicle` and `animal` mean several. */
export function labelsSought(words: unknown): ReadonlySet<string> {
  const sought = Array.isArray(words) ? words.map(word => String(word).toLowerCase()) : PERSON
  return new Set(sought.flatMap(word => [word, ...labelsOf(word)]))
}

/**
 * Something that is followed has been in view, or in a zone, for as long as the file says. Who counts the seconds says
 * in the event what was asked: an event for five seconds is none for ten.
 */
export const personInZone: TriggerFunction = {
  matches(params, event, site) {
    if (event.kind !== 'detect.person_in_zone') return null
    const camera = cameraValues(params.cameras, event, site)
    if (!camera) return null
    const { asked, ...payload } = event.payload
    if (event.workflowId === null && !isAsked(params, asked, payload.label)) return null
    return Object.assign(payloadValues(payload), camera)
  },
}

function isAsked(
  { zone = null, min_seconds, labels, stationary = false }: Parameters<TriggerFunction['matches']>[0],
  asked: JsonValue | undefined,
  label: JsonValue | undefined,
): boolean {
  if (typeof asked !== 'object' || asked === null || Array.isArray(asked)) return false
  return (
    asked.zone === zone &&
    asked.min_seconds === min_seconds &&
    asked.stationary === stationary &&
    typeof label === 'string' &&
    labelsSought(labels).has(label)
  )
}
