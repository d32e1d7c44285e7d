import { GatehouseError } from '../../core/index.ts'
import type { ToolFunction } from '../types.ts'
import { cameraOf, described, placed } from './camera.ts'
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
    if (!kept.length) {
      const why = `no picture of the last ${span(ms)} is kept of that camera`
      throw new GatehouseError('no_picture', why)
    }
    const oldest = kept.toReversed()
    const every = Math.max(1, (oldest.length - 1) / (MOST - 1))
    const spread = oldest.length <= MOST ? oldest : oldest.filter((_, i) => i % every < 1).slice(0, MOST)
    return described(spread, room, signal, { ...placed(id, room.site), kept_pictures: kept.length })
  },
}
