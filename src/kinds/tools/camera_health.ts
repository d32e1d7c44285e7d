import { messageOf } from '../../core/index.ts'
import type { ToolFunction } from '../types.ts'
import { cameraOf, placed } from './camera.ts'
import { old, short } from './words.ts'

/** A camera that is down is an answer here, and no failure. */
export const cameraHealth: ToolFunction = {
  async run({ camera }, room, { signal }) {
    const id = cameraOf(camera, room)
    const [taken, health] = await Promise.allSettled([
      room.cameras.snapshot(id, { signal }),
      room.health ? room.health.check(id, { signal }) : Promise.resolve(null),
    ])
    const known = health.status === 'fulfilled' ? health.value : null
    const ping = known?.pingMs
    return {
      result: {
        ...placed(id, room.site),
        gives_a_picture: taken.status === 'fulfilled',
        ...(taken.status === 'fulfilled' && { picture: old(taken.value.takenAt, room.now()) }),
        ...(taken.status === 'rejected' && { why_not: short(messageOf(taken.reason)) }),
        ...(known?.problem && { problem: short(known.problem) }),
        ping:
          ping === undefined ? 'it has no address' : ping === null ? 'no answer' : `${Math.round(ping)} ms`,
      },
    }
  },
}
