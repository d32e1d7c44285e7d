import { parseDuration } from '../../contract/index.ts'
import { type JsonValue, messageOf } from '../../core/index.ts'
import type { ActionContext } from '../types.ts'

/** Of what was recorded before: a picture each so many seconds, and no more than so many. */
const EVERY_MS = 2_000
const MOST = 10

export interface RecordingParams {
  camera?: string
  before?: string
  after?: string
}

export const msOf = (text: string | undefined): number => parseDuration(text ?? '') ?? 0

/** Keeps pictures of what was before the event; says why where there are none, or not all. */
export async function keepBefore(
  cameraId: string,
  beforeMs: number,
  { room, signal }: ActionContext,
): Promise<{ [key: string]: JsonValue }> {
  const count = Math.min(MOST, Math.ceil(beforeMs / EVERY_MS))
  const kept: number[] = []
  try {
    for (let i = 0; i < count; i++)
      kept.push(await room.keep(await room.recorded(cameraId, room.at - beforeMs + (i * beforeMs) / count)))
    return { before: kept }
  } catch (error) {
    signal.throwIfAborted()
    const why = `not available: ${messageOf(error)}`
    return kept.length ? { before: kept, before_lacks: why } : { before: why }
  }
}
