import type { ToolFunction } from '../types.ts'
import { cameraOf, described, placed, snapshot } from './camera.ts'
import { old } from './words.ts'

/** A picture that people will find with the run; a model that sees is shown it. */
export const cameraSnapshot: ToolFunction = {
  async run({ camera }, room, { signal }) {
    const id = cameraOf(camera, room)
    const taken = await snapshot(id, room, signal)
    if (room.sees) return described([taken], room, signal, placed(id, room.site))
    const note = 'kept for people; what it shows, describe_camera says'
    const result = { ...placed(id, room.site), taken: old(taken.picture.takenAt, room.now()), note }
    return { result, pictures: [{ ...taken, seen: null }] }
  },
}
