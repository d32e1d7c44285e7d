import type { Decision } from '../../ai/index.ts'
import { type Condition, fill, walkCondition } from '../../contract/index.ts'
import { type JsonValue, messageOf, type Picture } from '../../core/index.ts'
import { cameraFor } from '../camera-for.ts'
import type { EngineDeps } from '../ports.ts'
import type { Run } from '../run.ts'
import { storeTrace } from './ai.ts'
import { store as storePicture } from './keep-picture.ts'
import { snapshot } from './pictures.ts'

/** How long reading one picture may take. */
const READ_MS = 15_000

/** What a camera shows: its text, how sure the reading is, and the picture that it stands in; or why it was not read. */
export type Reading = { trace: Decision['trace'] } & (
  | { text: string; confidence: number | null; picture: Picture }
  /** `down`: because nothing can look at all. */
  | { unread: string; down: boolean }
)
export type Readings = ReadonlyMap<string, Reading>

/** As much of a text as a step's result keeps. */
const LONGEST = 300

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
 * Reads a fresh picture of each camera, by the same eyes, under the same rules and out of the same hour's AI calls as
 * a Look. Never rejects: what could not be read is not known.
 */
export async function readTexts(roles: readonly string[], run: Run, deps: EngineDeps): Promise<Readings> {
  const readings = new Map<string, Reading>()
  run.thinking = true
  for (const role of roles) {
    readings.set(role, await readOne(role, run, deps).catch(error => unread(messageOf(error))))
  }
  run.thinking = false
  return readings
}

/** What a step's result keeps of readings: camera role → text and confidence, or why it was not read. */
export function seenOf(readings: Readings): JsonValue {
  return Object.fromEntries(
    [...readings].map(([role, reading]): [string, JsonValue] => [
      role,
      'text' in reading
        ? { text: reading.text.slice(0, LONGEST).toWellFormed(), confidence: reading.confidence }
        : { unread: reading.unread },
    ]),
  )
}

/** Why nothing can look at all, if that is why something was not read; null: all was. Undefined: neither. */
export function downIn(readings: Readings): string | null | undefined {
  const all = [...readings.values()]
  const down = all.find(each => 'unread' in each && each.down)
  if (down && 'unread' in down) return down.unread
  return all.length && all.every(each => 'text' in each) ? null : undefined
}

/** Keeps the calls behind readings. Inside of a commit. */
export function traced(readings: Readings, stepId: number, { store }: EngineDeps): void {
  for (const { trace } of readings.values()) storeTrace(stepId, trace, store)
}

/** Stores the pictures that were read; answers with what writes their rows and the calls, inside of a commit. */
export async function keepReadings(
  readings: Readings,
  run: Run,
  deps: EngineDeps,
): Promise<(stepId: number) => void> {
  const all = [...readings.values()]
  const pictures = all.flatMap(each => ('picture' in each ? [each.picture] : []))
  const media = await Promise.all(pictures.map(each => storePicture(each, deps)))
  const createdAt = deps.clock.now()
  return stepId => {
    traced(readings, stepId, deps)
    for (const row of media)
      run.lastMedia = deps.store.media.add({ ...row, runId: run.id, stepId, createdAt })
  }
}

/** For conditions: the text of a role's camera, or null. */
export function textOf(readings: Readings): (role: string) => string | null {
  return role => {
    const reading = readings.get(role)
    return reading && 'text' in reading ? reading.text : null
  }
}

async function readOne(role: string, run: Run, deps: EngineDeps): Promise<Reading> {
  const cameraId = cameraFor(role, run.facts.cameraId, deps.site())
  if (cameraId === null) return unread(`no camera bears the role ${role}`)
  const { limits } = run.loaded
  const now = deps.clock.now()
  const full = limits.aiFull(now)
  if (full !== null) return unread(full)
  limits.ai.add(now)
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
  const { decision, fields, reason, confidence, unsureReason, trace } = await deps.look(spec, input, {
    timeoutMs: READ_MS,
    signal: run.signal,
    now: () => deps.clock.now(),
  })
  return decision === 'read' && typeof fields.text === 'string'
    ? { text: fields.text, confidence, picture, trace }
    : { unread: reason, down: unsureReason === 'vision_down', trace }
}

function unread(why: string): Reading {
  return { unread: why, down: false, trace: [] }
}
