import { GatehouseError, type Picture } from '../../core/index.ts'
import type { ToolFunction, ToolRoom } from '../types.ts'
import { cameraOf, described, placed } from './camera.ts'
import { recordedFrame } from './known-events.ts'
import { span } from './words.ts'

const MINUTE_MS = 60_000
/** Kept pictures are looked for among so many. */
const MOST_KEPT = 24
/** Of them are shown, spread over the time. */
const MOST = 4

export const describeWindow: ToolFunction = {
  async run({ camera, minutes }, room, { signal }) {
    const id = cameraOf(camera, room)
    const until = room.now()
    const ms = (typeof minutes === 'number' ? minutes : 15) * MINUTE_MS
    const kept = await room.records.pictures({ cameraId: id, since: until - ms, until, limit: MOST_KEPT })
    if (kept.length) {
      const more = { ...placed(id, room.site), kept_pictures: kept.length }
      return described(spread(kept.toReversed()), room, signal, more)
    }
    const recorded = await frames(id, until, ms, room, signal)
    if (!recorded.length) {
      const why = `no picture of the last ${span(ms)} is kept of that camera`
      throw new GatehouseError('no_picture', why)
    }
    return described(recorded, room, signal, { ...placed(id, room.site), from: 'recordings' })
  },
}

function spread<T>(oldest: readonly T[]): readonly T[] {
  const every = Math.max(1, (oldest.length - 1) / (MOST - 1))
  return oldest.length <= MOST ? oldest : oldest.filter((_, i) => i % every < 1).slice(0, MOST)
}

/** What was recorded, at times spread over the window, the oldest first. */
async function frames(id: string, until: number, ms: number, room: ToolRoom, signal: AbortSignal) {
  const found: { ref: number | null; picture: Picture }[] = []
  for (let i = 0; i < MOST; i++) {
    const at = until - Math.round(ms * (1 - (i + 0.5) / MOST))
    const picture = await recordedFrame(id, at, room, signal)
    if (picture) found.push({ ref: await room.keep(picture), picture })
  }
  return found
}
