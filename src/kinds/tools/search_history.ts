import type { ToolFunction } from '../types.ts'
import { cameraOf } from './camera.ts'
import { ago, cameraWord, short, span } from './words.ts'

const DAY_MS = 86_400_000
const MOST = 8

/** What was decided before. It is what the box said, right or wrong: people's marks stand beside it. */
export const searchHistory: ToolFunction = {
  async run({ camera, word, days }, room) {
    const cameraId = camera === undefined ? null : cameraOf(camera, room)
    const until = room.now()
    const ms = (typeof days === 'number' ? days : 7) * DAY_MS
    const filter = {
      cameraId,
      since: until - ms,
      until,
      limit: MOST,
      word: typeof word === 'string' ? word : null,
    }
    const decisions = room.records.decisions(filter).map(each => ({
      when: ago(each.at, until),
      camera: cameraWord(each.cameraId, room.site),
      workflow: short(each.workflow, 60),
      decision: each.decision,
      reason: short(each.reason),
      ...(each.right !== null && { people_said: each.right ? 'right' : 'wrong' }),
    }))
    return { result: { of_the_last: span(ms), decisions } }
  },
}
