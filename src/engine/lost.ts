import { actionKind } from '../contract/index.ts'
import type { StepRow } from '../store/index.ts'
import { isObject } from './json.ts'

/** What a message came to nothing by, after its last try; null: the step is none, or it is not lost. */
export function lostIn(kind: string, { status, result }: Pick<StepRow, 'status' | 'result'>): string | null {
  if (status !== 'failed' || !isObject(result) || !actionKind(kind)) return null
  // A move that failed ends its path, and is the run's own error.
  if (result.ends_path === true || result.retrying === true) return null
  return typeof result.message === 'string' ? result.message : 'it failed'
}

/** A run's reason, with what nobody was told. */
export function withLost(reason: string | null, lost: string | null): string | null {
  if (lost === null) return reason
  const message = `A message was lost: ${lost}`
  return reason === null ? message : `${reason} – ${message}`
}
