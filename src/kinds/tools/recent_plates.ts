import { sameIdentity } from '../../contract/index.ts'
import type { RecordedEvent } from '../ports.ts'
import type { ToolFunction } from '../types.ts'
import { cameraOf } from './camera.ts'
import { knownEvents } from './known-events.ts'
import { ago, cameraWord, short, span } from './words.ts'

const MINUTE_MS = 60_000
const MOST = 12
/** Readings among which one plate is looked for. */
const MOST_READ = 500
/** A plate that was read with less may be another. */
const SURE = 0.9

export const recentPlates: ToolFunction = {
  async run({ plate, camera, minutes }, room, { signal }) {
    const cameraId = camera === undefined ? null : cameraOf(camera, room)
    const until = room.now()
    const ms = (typeof minutes === 'number' ? minutes : 60) * MINUTE_MS
    const schema = 'plate.recognized.v1'
    const since = until - ms
    const filter = { cameraId, schema, since, until, limit: MOST_READ }
    const wish = typeof plate === 'string' ? { ...filter, plate } : filter
    const { events: all, gap } = await knownEvents(wish, room, signal)
    const readings = all.flatMap(event => reading(event) ?? [])
    const wanted =
      typeof plate === 'string' ? readings.filter(each => sameIdentity(each.plate, plate)) : readings
    const plates = wanted.slice(0, MOST).map(each => ({
      plate: short(each.plate, 20),
      when: ago(each.at, until),
      camera: cameraWord(each.cameraId, room.site),
      ...(each.confidence !== null && each.confidence < SURE && { note: 'read with little certainty' }),
    }))
    const result = { of_the_last: span(ms), times_read: wanted.length, plates, ...(gap !== null && { gap }) }
    return { result }
  },
}

function reading({ payload, at, cameraId }: RecordedEvent) {
  if (payload === null || typeof payload !== 'object' || Array.isArray(payload)) return null
  const { plate_text: text, plate, confidence } = payload
  const read = typeof text === 'string' ? text : plate
  if (typeof read !== 'string' || !read.trim()) return null
  return { plate: read, at, cameraId, confidence: typeof confidence === 'number' ? confidence : null }
}
