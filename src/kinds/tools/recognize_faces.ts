import { sameIdentity } from '../../contract/index.ts'
import { GatehouseError } from '../../core/index.ts'
import type { ToolFunction } from '../types.ts'
import { cameraOf, placed, snapshot } from './camera.ts'
import { old } from './words.ts'

/** Names those who agreed, as the site spells them; whoever else a server knows is one of the others. */
export const recognizeFaces: ToolFunction = {
  async run({ camera }, room, { signal }) {
    const { faces: rule } = room.site
    if (!rule || !room.faces) throw new GatehouseError('faces_off', 'nothing compares faces here')
    const id = cameraOf(camera, room)
    const { picture } = await snapshot(id, room, signal)
    const compared = await room.faces.compare(picture, { signal })
    const found = new Map<string, number>()
    for (const { like, similarity } of compared) {
      const name = rule.people.find(each => like !== null && sameIdentity(each, like))
      if (name === undefined || similarity < rule.sure) continue
      found.set(name, Math.max(similarity, found.get(name) ?? 0))
    }
    return {
      result: {
        ...placed(id, room.site),
        taken: old(picture.takenAt, room.now()),
        people: [...found].map(([name, sure]) => ({ name, sure: Math.floor(sure * 100) / 100 })),
        others: compared.length - found.size,
      },
    }
  },
}
