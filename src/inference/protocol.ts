/** What parent and child tell each other over the ipc channel (structured clone). */

export type ToChild =
  | { kind: 'job'; id: number; job: string; payload: unknown }
  /** Nobody waits for this job any more; it may stop early. */
  | { kind: 'abort'; id: number }

export type FromChild =
  | { kind: 'ready' }
  | { kind: 'done'; id: number; value: unknown }
  | { kind: 'failed'; id: number; message: string }

/** Longest failure message that is passed on. */
const maxMessage = 500

/** A message of the child, or null where it is none: native code that went astray may have written it. */
export function parseFromChild(message: unknown): FromChild | null {
  if (typeof message !== 'object' || message === null) return null
  const { kind, id, value, message: text } = message as Record<string, unknown>
  if (kind === 'ready') return { kind }
  if (typeof id !== 'number') return null
  if (kind === 'done') return { kind, id, value }
  if (kind === 'failed') return { kind, id, message: String(text).slice(0, maxMessage) }
  return null
}

/** A message of the parent, or null. */
export function parseToChild(message: unknown): ToChild | null {
  if (typeof message !== 'object' || message === null) return null
  const { kind, id, job, payload } = message as Record<string, unknown>
  if (typeof id !== 'number') return null
  if (kind === 'job' && typeof job === 'string') return { kind, id, job, payload }
  if (kind === 'abort') return { kind, id }
  return null
}

/** Names of the variables that carry the child's settings. */
export const settings = {
  modelsDir: 'GATEHOUSE_MODELS_DIR',
  dropAfterMs: 'GATEHOUSE_DROP_AFTER_MS',
  threads: 'GATEHOUSE_THREADS',
} as const
