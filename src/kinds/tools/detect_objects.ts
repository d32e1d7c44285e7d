import { measure } from '../../vision/index.ts'
import type { ToolFunction } from '../types.ts'
import { cameraOf, lookAt, placed, snapshot } from './camera.ts'
import { old } from './words.ts'

/** Counts things of one sort; what it does not find may be there all the same, and the answer says how near it came. */
export const detectObjects: ToolFunction = {
  async run({ camera, of }, room, { signal }) {
    const id = cameraOf(camera, room)
    const { ref, picture } = await snapshot(id, room, signal)
    const seen = await lookAt(picture, room, signal, { objects: true, text: false })
    const count = Number(measure({ measure: 'count', of: String(of) }, seen, {}).value)
    const result = {
      ...placed(id, room.site),
      taken: old(picture.takenAt, room.now()),
      of: String(of),
      count,
    }
    return { result, pictures: [{ ref, picture, seen }] }
  },
}
