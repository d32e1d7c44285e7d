import { type Clock, GatehouseError, type IncomingEvent, type Picture } from '../../core/index.ts'
import type { Cameras } from '../../kinds/index.ts'
import type { EngineDeps } from '../ports.ts'
import { recordsOf } from '../steps/tool-room.ts'
import type { RunView, TriedEvent } from '../types.ts'
import type { Shadows } from './shadow.ts'

/** A picture that is kept, by the hash of its bytes. */
export interface KeptPicture {
  hash: string
  source: string
  takenAt: number | null
  /** When a step had a camera give it; null: it came with the event. */
  shotAt: number | null
}

/** Something that happened, with all that was seen of it. */
export interface Happened {
  event: IncomingEvent
  /** Epoch ms. */
  startedAt: number
  pictures: readonly KeptPicture[]
}

/** How it is played. */
export interface Playing {
  /** All the time that there is, ms. */
  left: number
  /** Ends it before its time: it came to nothing then. */
  signal?: AbortSignal | undefined
  /** The id under which a picture can be read, by its hash; null: it has none. */
  mediaOf?(hash: string): number | null
}

type KeptOut = NonNullable<TriedEvent['kept_out']>

/** What a file makes of something that happened: its run, why there is none, or null where it was not done in time. */
export async function replay(
  { event, startedAt, pictures }: Happened,
  yaml: string,
  { deps, shadows }: { deps: EngineDeps; shadows: Shadows },
  { left, signal, mediaOf }: Playing,
): Promise<RunView | KeptOut | null> {
  const came: Picture[] = []
  const shots: Shot[] = []
  for (const { hash, source, takenAt, shotAt } of pictures) {
    const bytes = await deps.media.read(hash)
    if (!bytes) return { code: 'no_picture', message: 'Its pictures are not kept any more.' }
    const picture = { bytes, takenAt, source }
    if (shotAt === null) came.push(picture)
    else shots.push({ picture, shotAt })
  }
  return shadows.play(yaml, { ...event, pictures: came }, left, {
    startedAt,
    site: deps.site(),
    cameras: clock => camerasOf(shots, clock),
    // What is looked up is looked up here; nobody reaches for a camera of today.
    records: recordsOf(deps),
    ...(signal && { signal }),
    ...(mediaOf && { mediaOf }),
  })
}

/** A picture that a step had a camera give, and when. */
interface Shot {
  picture: Picture
  shotAt: number
}

/**
 * The cameras of then: each gives what was taken of it, one after the other, the last one again and again, as old as
 * it was when it was given.
 */
function camerasOf(shots: Shot[], clock: Clock): Cameras {
  const given = new Map<string, number>()
  return {
    snapshot: async cameraId => {
      const own = shots.filter(({ picture }) => picture.source === `camera ${cameraId}`)
      const n = given.get(cameraId) ?? 0
      given.set(cameraId, n + 1)
      const shot = own[Math.min(n, own.length - 1)]
      if (!shot) throw new GatehouseError('camera_offline', `no picture of camera ${cameraId} was kept`)
      const { picture, shotAt } = shot
      const { takenAt } = picture
      return { ...picture, takenAt: takenAt === null ? null : clock.now() - (shotAt - takenAt) }
    },
  }
}
