/** What parent and child tell each other over the ipc channel (structured clone), and a listener between them adds. */

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

/** The first message on a connection to a listener: with what settings a child is wanted. */
export interface Start {
  kind: 'start'
  modelsDir: string
  dropAfterMs: number
  threads: number | null
}

/** What the listener says of the child, beside what it passes on. */
export type FromListener = { kind: 'child'; pid: number } | { kind: 'ended'; how: string }

/** A first message, or null. */
export function parseStart(message: unknown): Start | null {
  if (typeof message !== 'object' || message === null) return null
  const { kind, modelsDir, dropAfterMs, threads } = message as Record<string, unknown>
  if (kind !== 'start' || typeof modelsDir !== 'string' || !modelsDir.startsWith('/')) return null
  if (!isCount(dropAfterMs) || !(threads === null || isCount(threads))) return null
  return { kind, modelsDir, dropAfterMs, threads }
}

/** A message of the listener itself, or null. */
export function parseFromListener(message: unknown): FromListener | null {
  if (typeof message !== 'object' || message === null) return null
  const { kind, pid, how } = message as Record<string, unknown>
  if (kind === 'child' && isCount(pid)) return { kind, pid }
  if (kind === 'ended') return { kind, how: String(how).slice(0, maxMessage) }
  return null
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0
}

/** Names of the variables that carry the child's settings. */
export const settings = {
  modelsDir: 'GATEHOUSE_MODELS_DIR',
  dropAfterMs: 'GATEHOUSE_DROP_AFTER_MS',
  threads: 'GATEHOUSE_THREADS',
} as const
