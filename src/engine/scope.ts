import type { ScopeApi } from './api.ts'
import type { EngineDeps } from './ports.ts'
import { beyond, type CameraScope, camerasOf, isInScope, isVisible } from './reach.ts'
import type { Workflows } from './workflows.ts'

/** What somebody who is bound to some cameras may look at, by the files of this box and the site as it is now. */
export function scopeApi(
  { store, site }: Pick<EngineDeps, 'store' | 'site'>,
  workflows: Workflows,
): ScopeApi {
  const namedBy = (id: number) => {
    const program = workflows.get(id)?.program
    return program ? camerasOf(program) : null
  }
  const run = (scope: CameraScope, id: number): boolean => {
    if (scope === null) return true
    const row = store.runs.get(id)
    const loaded = row && workflows.get(row.workflowId)
    if (!row || !loaded) return false
    if (row.cameraId !== null && !isInScope(scope, row.cameraId, site())) return false
    try {
      // What it looked at is what its own version says.
      return isVisible(scope, camerasOf(workflows.programOf(row.versionId, loaded)), site())
    } catch {
      return false
    }
  }
  return {
    camera: (scope, cameraId) => isInScope(scope, cameraId, site()),
    workflow(scope, id) {
      if (scope === null) return true
      const named = namedBy(id)
      return named !== null && isVisible(scope, named, site())
    },
    run,
    question(scope, id) {
      const row = scope === null ? null : store.approvals.get(id)
      return scope === null || (row !== null && run(scope, row.runId))
    },
    media(scope, id) {
      const row = scope === null ? null : store.media.get(id)
      return scope === null || (row !== null && run(scope, row.runId))
    },
    beyond(scope, id) {
      const named = scope === null ? null : namedBy(id)
      if (scope === null) return null
      return named ? beyond(scope, named, site()) : 'its file is not understood'
    },
  }
}
