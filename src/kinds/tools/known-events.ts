import { GatehouseError, type JsonValue, messageOf } from '../../core/index.ts'
import type { Archive, RecordedEvent } from '../ports.ts'
import type { ToolRoom } from '../types.ts'
import { short } from './words.ts'

/** Two reports of one thing that bear no common id are this close. */
const SAME_MS = 2_000

/**
 * What happened, out of this box's own rows and out of what the site's NVR keeps: each once, newest first. `gap`: why
 * the NVR's are not among them, for a model; null: they are, or there is none to ask.
 */
export async function knownEvents(
  filter: Parameters<Archive['events']>[0],
  { records, archive }: ToolRoom,
  signal: AbortSignal,
): Promise<{ events: RecordedEvent[]; gap: string | null }> {
  const own = records.events(filter)
  if (!archive || archive.lacks !== null) return { events: own, gap: null }
  try {
    return { events: merged(own, await archive.events(filter, { signal }), filter.limit), gap: null }
  } catch (error) {
    if (signal.aborted) throw error
    return {
      events: own,
      gap: `what only the recorder knows could not be checked: ${short(messageOf(error))}`,
    }
  }
}

/** A picture of then; null: there is none. Rejects with what a model is told where that could not be checked. */
export async function recordedFrame(
  cameraId: string,
  at: number,
  { archive }: ToolRoom,
  signal: AbortSignal,
) {
  if (!archive || archive.lacks !== null) return null
  return archive.frame(cameraId, at, { signal }).catch((error: unknown) => {
    const why = `the recordings could not be checked: ${short(messageOf(error))}`
    throw new GatehouseError('could_not_check', why, { cause: error })
  })
}

/** Of what both know the one that says more. */
function merged(
  own: readonly RecordedEvent[],
  theirs: readonly RecordedEvent[],
  most: number,
): RecordedEvent[] {
  const fresh = theirs.filter(event => !own.some(mine => mine.payload !== null && isSame(mine, event)))
  const bare = own.filter(mine => mine.payload !== null || !fresh.some(event => isSame(mine, event)))
  return [...bare, ...fresh].sort((a, b) => b.at - a.at).slice(0, most)
}

function isSame(a: RecordedEvent, b: RecordedEvent): boolean {
  if (a.eventId === b.eventId) return true
  if (a.schema !== b.schema || a.cameraId !== b.cameraId) return false
  const [left, right] = [visitOf(a.payload), visitOf(b.payload)]
  return left !== null && right !== null ? left === right : Math.abs(a.at - b.at) <= SAME_MS
}

/** The recorder's own number of what it is about. */
function visitOf(payload: JsonValue): string | null {
  if (payload === null || typeof payload !== 'object' || Array.isArray(payload)) return null
  const { event_id: id } = payload
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null
}
