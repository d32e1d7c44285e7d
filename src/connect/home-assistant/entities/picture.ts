import type { Decided } from '../decisions.ts'
import type { Entity } from '../entity.ts'

export const PICTURE = 'last_picture'

/** The picture that was judged last. */
export function pictureEntity(last: Decided | null): Entity {
  return {
    key: PICTURE,
    platform: 'image',
    name: 'Last judged picture',
    icon: 'mdi:image-search',
    config: { content_type: 'image/jpeg' },
    attributes:
      last === null
        ? {}
        : {
            ...{ workflow: last.workflow, camera: last.camera, decision: last.decision },
            ...{ run: last.run, at: last.at },
          },
  }
}
