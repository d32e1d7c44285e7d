import { parseDuration } from '../../contract/index.ts'
import { GatehouseError, type Picture } from '../../core/index.ts'
import type { SitePort } from '../../kinds/index.ts'
import { camerasOfRun } from '../bound-cameras.ts'
import { cameraFor } from '../camera-for.ts'
import { isObject } from '../json.ts'
import type { EngineDeps } from '../ports.ts'
import type { Run, RunPicture } from '../run.ts'
import { pause } from '../time.ts'
import { eventAt, evidenceOf } from './evidence.ts'
import { keep } from './keep-picture.ts'
import { type LookParams, MAX_AGE_MS } from './look-spec.ts'

/** How long a camera may take to give a picture. */
const SNAPSHOT_MS = 15_000

/**
 * The pictures that a Look judges, stored before it sees them: those that came with the event, else fresh ones
 * of the camera. `look_at` always asks the camera. Rejects when the camera gives none.
 */
export async function picturesFor(
  run: Run,
  stepId: number,
  params: LookParams,
  site: SitePort,
  deps: EngineDeps,
): Promise<{ pictures: RunPicture[]; cameraId: string | null }> {
  const { input, look_at: lookAt } = params
  const cameraId = lookAt === undefined ? run.facts.cameraId : cameraAt(lookAt, run, site)
  const text = input === 'event' || input === 'text' || (typeof input === 'object' && 'text' in input)
  if (text) return { pictures: [], cameraId }
  const frames = typeof input === 'object' && 'frames' in input ? input.frames : { count: 1, over: '0s' }
  const own = lookAt === undefined && !(isCut(run) && hasRegion(params)) ? await eventPictures(run, deps) : []
  if (own.length) return { pictures: own.slice(-frames.count), cameraId }
  const kept =
    lookAt === undefined && !hasRegion(params) ? await freshEvidence(run, stepId, params, deps) : []
  if (kept.length) return { pictures: kept, cameraId }
  if (cameraId === null) return { pictures: [], cameraId }
  const pictures: RunPicture[] = []
  for await (const picture of taken(cameraId, frames, run, deps))
    pictures.push({ media: await keep(picture, run.id, stepId, deps), picture })
  return { pictures, cameraId }
}

/** What somebody else keeps of the event, as long as it is as new as what a camera would give. */
async function freshEvidence(run: Run, stepId: number, { max_age: age }: LookParams, deps: EngineDeps) {
  const old = deps.clock.now() - eventAt(run)
  return old <= (parseDuration(age ?? '') ?? MAX_AGE_MS) ? evidenceOf(run, stepId, deps) : []
}

/** One picture, or several over a time: out of one stream where the camera has one. */
async function* taken(
  cameraId: string,
  { count, over }: { count: number; over: string },
  run: Run,
  deps: EngineDeps,
): AsyncGenerator<Picture> {
  const overMs = parseDuration(over) ?? 0
  const cameras = camerasOfRun(run, deps)
  if (count > 1 && cameras.frames) {
    const ask = async (signal: AbortSignal) => cameras.frames?.(cameraId, { count, overMs, signal })
    yield* (await patiently(run, deps, SNAPSHOT_MS + overMs, ask)) ?? []
    return
  }
  for (let i = 0; i < count; i++) {
    if (i > 0) await pause(deps.clock, overMs / (count - 1), run.signal)
    yield await snapshot(cameraId, run, deps)
  }
}

/** Those that came with the event; after a restart they are read from the disk again. */
export async function eventPictures(run: Run, deps: EngineDeps): Promise<RunPicture[]> {
  if (run.pictures) return run.pictures
  const found: RunPicture[] = []
  for (const { id, stepId, hash, takenAt, source } of deps.store.media.ofRun(run.id)) {
    if (stepId !== null) continue
    const bytes = await deps.media.read(hash)
    if (bytes) found.push({ media: id, picture: { bytes, takenAt, source } })
  }
  run.pictures = found
  return found
}

/** A fresh picture of a camera, at most `ms` later. Rejects when it gives none. */
export function snapshot(cameraId: string, run: Run, deps: EngineDeps, ms = SNAPSHOT_MS): Promise<Picture> {
  return patiently(run, deps, ms, signal => camerasOfRun(run, deps).snapshot(cameraId, { signal }))
}

/** What is asked ends with the run, and with our patience. */
async function patiently<T>(
  run: Run,
  { clock }: EngineDeps,
  ms: number,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController()
  const cancel = clock.after(ms, () => late.abort())
  try {
    return await ask(AbortSignal.any([run.signal, late.signal]))
  } finally {
    cancel()
  }
}

/** What came with the event shows what it is about and nothing around it: there no zone of the camera can be found. */
function isCut({ facts: { triggerKind, event } }: Run): boolean {
  return triggerKind === 'detect.person_in_zone' && isObject(event.payload) && event.payload.cut === true
}

function hasRegion({ fields = {} }: LookParams): boolean {
  return Object.values(fields).some(field => typeof field === 'object' && 'region' in field)
}

function cameraAt(role: string, run: Run, site: SitePort): string {
  const found = cameraFor(role, run.facts.cameraId, site)
  if (found === null) throw new GatehouseError('camera_unknown', `no camera bears the role ${role}`)
  return found
}
