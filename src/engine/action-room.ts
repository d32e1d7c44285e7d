import { GatehouseError } from '../core/index.ts'
import type { ActionRoom } from '../kinds/index.ts'
import { cameraFor } from './camera-for.ts'
import type { EngineDeps } from './ports.ts'

/** What an action knows of its run. */
export function actionRoom(run: { cameraId: string | null }, { site }: Pick<EngineDeps, 'site'>): ActionRoom {
  return {
    camera: role => {
      const found = role === undefined ? run.cameraId : cameraFor(role, run.cameraId, site())
      if (found !== null) return found
      const message =
        role === undefined
          ? 'What started this has no camera: name one under camera.'
          : `No camera bears the role ${role}.`
      throw new GatehouseError('camera_unknown', message)
    },
  }
}
