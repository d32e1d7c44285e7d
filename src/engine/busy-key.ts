import { identity, type Workflow } from '../contract/index.ts'
import type { Values } from '../kinds/index.ts'

/**
 * What a workflow runs for one at a time: its camera, or the plate or track where the version that runs says so. An
 * event without one is limited per workflow.
 */
export function busyKey(
  workflowId: number,
  { limits }: Workflow,
  values: Values,
  cameraId: string | null,
): string {
  const what = limits?.one_at_a_time
  const value = what === 'plate' ? values.plate : what === 'track' ? (values.track ?? values.track_id) : null
  const named = typeof value === 'string' || typeof value === 'number' ? identity(String(value)) : ''
  if (!named) return `${workflowId} camera ${cameraId ?? ''}`
  // A detector numbers what it follows anew for each camera; a plate is the same at all of them.
  return what === 'track' ? `${workflowId} track ${cameraId ?? ''} ${named}` : `${workflowId} plate ${named}`
}
