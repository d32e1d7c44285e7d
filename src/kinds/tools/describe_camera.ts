import type { ToolFunction } from '../types.ts'
import { cameraOf, described, placed, snapshot } from './camera.ts'

export const describeCamera: ToolFunction = {
  async run({ camera }, room, { signal }) {
    const id = cameraOf(camera, room)
    return described([await snapshot(id, room, signal)], room, signal, placed(id, room.site))
  },
}
