import { sceneFacts, type ToolAnswer, type ToolPicture } from '../../ai/index.ts'
import { GatehouseError, type JsonValue, type Picture } from '../../core/index.ts'
import type { Seen } from '../../vision/index.ts'
import type { SitePort, ToolRoom } from '../types.ts'
import { cameraWord, old } from './words.ts'

/** How long one picture may be looked at. */
const SEE_MS = 20_000
/** Longest side of a picture that a model is shown, in pixels. */
const SIDE = 768

/**
 * The camera that an argument means: by a role, the event's where it bears it; by an id; the event's where nothing is
 * said. Throws `camera_unknown`.
 */
export function cameraOf(name: JsonValue | undefined, { site, cameraId }: ToolRoom): string {
  if (typeof name !== 'string') {
    if (cameraId !== null) return cameraId
    throw new GatehouseError('camera_unknown', 'the event has no camera: name one')
  }
  if (cameraId !== null && site.rolesOf(cameraId).includes(name)) return cameraId
  const found = site.camerasWithRole(name)[0] ?? (site.cameraName(name) === null ? null : name)
  if (found === null) throw new GatehouseError('camera_unknown', 'there is no camera of that name')
  return found
}

/** What a model may call the cameras by: roles, and ids where several bear one role. */
export function cameraNames(site: SitePort): string[] {
  const roles = [...site.view().roles]
  const shared = roles.map(role => site.camerasWithRole(role)).filter(ids => ids.length > 1)
  return [...new Set([...roles, ...shared.flat()])]
}

/** A new picture of a camera, kept with the run. Rejects with `camera_offline`. */
export async function snapshot(
  cameraId: string,
  room: ToolRoom,
  signal: AbortSignal,
): Promise<{ ref: number | null; picture: Picture }> {
  const picture = await room.cameras.snapshot(cameraId, { signal })
  return { ref: await room.keep(picture), picture }
}

/** What detector and reader make of a picture. Rejects where nothing looks here, or nothing could be looked at. */
export async function lookAt(
  picture: Picture,
  room: ToolRoom,
  signal: AbortSignal,
  want = { objects: true, text: true },
): Promise<Seen> {
  if (!room.vision) throw new GatehouseError('vision_down', 'nothing on this box can look at pictures')
  return room.vision.see(picture, want, { timeoutMs: SEE_MS, signal })
}

/** Pictures in words and, for a model that sees, to look at. */
export async function described(
  pictures: readonly { ref: number | null; picture: Picture }[],
  room: ToolRoom,
  signal: AbortSignal,
  more: { [name: string]: JsonValue },
): Promise<ToolAnswer> {
  const told: JsonValue[] = []
  const shown: ToolPicture[] = []
  for (const { ref, picture } of pictures) {
    const age = old(picture.takenAt, room.now())
    if (room.sees && room.vision) {
      const small = await room.vision.shrink(picture, SIDE, { timeoutMs: SEE_MS, signal })
      shown.push({ ref, picture: small, seen: null })
      told.push({ picture: shown.length, taken: age })
    } else {
      const seen = await lookAt(picture, room, signal)
      shown.push({ ref, picture, seen })
      told.push({ taken: age, ...asObject(sceneFacts(seen)) })
    }
  }
  const [only] = told
  const result =
    told.length === 1 && only !== undefined ? { ...more, ...asObject(only) } : { ...more, pictures: told }
  return { result, pictures: shown }
}

export const placed = (cameraId: string | null, site: SitePort): { camera: string | null } => ({
  camera: cameraWord(cameraId, site),
})

function asObject(value: JsonValue): { [name: string]: JsonValue } {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {}
}
