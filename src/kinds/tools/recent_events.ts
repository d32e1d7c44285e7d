import type { ToolFunction } from '../types.ts'
import { cameraOf } from './camera.ts'
import { knownEvents } from './known-events.ts'
import { ago, cameraWord, plainValues, span } from './words.ts'

const MINUTE_MS = 60_000
const MOST = 12

export const recentEvents: ToolFunction = {
  async run({ camera, all_cameras: all, minutes }, room, { signal }) {
    const cameraId = all === true ? null : cameraOf(camera, room)
    const until = room.now()
    const ms = (typeof minutes === 'number' ? minutes : 60) * MINUTE_MS
    const filter = { cameraId, schema: null, since: until - ms, until, limit: MOST + 1 }
    const { events: found, gap } = await knownEvents(filter, room, signal)
    const events = found.slice(0, MOST).map(event => ({
      what: event.schema ?? event.kind,
      when: ago(event.at, until),
      camera: cameraWord(event.cameraId, room.site),
      ...(event.payload !== null && { data: plainValues(event.payload) }),
    }))
    return {
      result: {
        of_the_last: span(ms),
        events,
        ...(found.length > MOST && { there_are_more: true }),
        ...(gap !== null && { gap }),
      },
    }
  },
}
