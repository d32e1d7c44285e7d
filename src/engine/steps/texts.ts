import { type Condition, fill, walkCondition } from '../../contract/index.ts'
import { messageOf, type Picture } from '../../core/index.ts'
import { cameraFor } from '../camera-for.ts'
import type { EngineDeps } from '../ports.ts'
import type { Run } from '../run.ts'
import { snapshot } from './pictures.ts'

/** How long reading one picture may take. */
const READ_MS = 15_000

/** What a camera shows: its text, and the picture that it stands in; or why nobody could read it. */
export type Reading = { text: string; picture: Picture } | { unread: string }

/** The camera roles whose text the conditions ask about. */
export function camerasAsked(conditions: readonly Condition[], run: Run): string[] {
  const roles = new Set<string>()
  for (const condition of conditions) {
    walkCondition(condition, '', ({ kind, params }) => {
      if (kind === 'text_visible') roles.add(fill((params as { camera: string }).camera, run.values))
    })
  }
  return [...roles]
}

/**
 * Reads a fresh picture of each camera, by the same eyes and under the same rules as a Look. Never rejects: what
 * could not be read is not known.
 */
export async function readTexts(
  roles: readonly string[],
  run: Run,
  deps: EngineDeps,
): Promise<Map<string, Reading>> {
  const readings = new Map<string, Reading>()
  run.thinking = true
  for (const role of roles) {
    readings.set(
      role,
      await readOne(role, run, deps).catch((error): Reading => ({ unread: messageOf(error) })),
    )
  }
  run.thinking = false
  return readings
}

/** For conditions: the text of a role's camera, or null. */
export function textOf(readings: ReadonlyMap<string, Reading>): (role: string) => string | null {
  return role => {
    const reading = readings.get(role)
    return reading && 'text' in reading ? reading.text : null
  }
}

async function readOne(role: string, run: Run, deps: EngineDeps): Promise<Reading> {
  const cameraId = cameraFor(role, run.facts.cameraId, deps.site())
  if (cameraId === null) return { unread: `no camera bears the role ${role}` }
  const picture = await snapshot(cameraId, run, deps)
  const spec = {
    options: ['read'],
    prompt: '',
    fields: { text: { measure: 'text' as const } },
    floor: null,
    rules: [{ then: 'read' }],
    maxAgeMs: 30_000,
  }
  const input = { pictures: [picture], values: {}, facts: '', text: null }
  const { decision, fields, reason } = await deps.look(spec, input, {
    timeoutMs: READ_MS,
    signal: run.signal,
    now: () => deps.clock.now(),
  })
  return decision === 'read' && typeof fields.text === 'string'
    ? { text: fields.text, picture }
    : { unread: reason }
}
