import { GatehouseError } from '../core/index.ts'
import type { Cameras } from '../kinds/index.ts'
import type { EngineDeps } from './ports.ts'
import { isInScope, scopeOf } from './reach.ts'
import type { Run } from './run.ts'

/** The cameras of a run: those that whoever saved its workflow may see, at the moment at which one is asked. */
export function camerasOfRun({ loaded: { row } }: Run, deps: EngineDeps): Cameras {
  const { cameras, site } = deps
  if (row.savedBy === null || row.savedBy === undefined) return cameras
  const demand = (cameraId: string) => {
    if (isInScope(scopeOf(row.savedBy, deps), cameraId, site())) return
    throw new GatehouseError('out_of_scope', `whoever saved ${row.name} may not see that camera`)
  }
  const { frames } = cameras
  return {
    async snapshot(cameraId, options) {
      demand(cameraId)
      return cameras.snapshot(cameraId, options)
    },
    ...(frames && {
      async frames(cameraId: string, options: Parameters<typeof frames>[1]) {
        demand(cameraId)
        return frames.call(cameras, cameraId, options)
      },
    }),
  }
}
