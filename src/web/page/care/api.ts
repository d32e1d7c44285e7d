/** What keeps the box in order, as the page asks for it. */
import type { ForgetOutcome, ForgetPreview } from '../../../engine/index.ts'
import { ask, download, post } from '../api.ts'

export interface Machine {
  heat: { zone: string; celsius: number; limit: number } | null
  slowed: boolean | null
  memory: { total: number; available: number } | null
  up_seconds: number | null
  engine_up_seconds: number
  wear: { disk: string; used_percent: number; ends_soon: boolean } | null
  processes: { name: string; state: string; bytes: number | null; restarts: number; pending: number }[]
}

export interface Backups {
  copies: { at: string; bytes: number }[]
  set_aside: { name: string; at: string | null }[]
  last: { at: string; by: string; encrypted: boolean } | null
  /** Null: none are made by themselves. */
  scheduled: { made_at: string | null; problem: string | null } | null
  restore_problem: string | null
  restores: boolean
}

export interface ToRestore {
  at: string
  box: string
  secrets: boolean
  pictures: number
  this_box: boolean
  restarting: boolean
}

export interface LogLine {
  seq: number
  at: string
  level: string
  message: string
  more: string
}

interface Copies {
  copies: number
  set_aside: number
}

/** What there is of it. */
export type Found = ForgetPreview & Copies
/** What went. */
export type Gone = ForgetOutcome & Copies & { copy_problem: string | null }

export type What =
  | { plate: string }
  | { face: string }
  | { from: string; until: string; camera: string | null }

export const getMachine = (): Promise<Machine> => ask('/system/machine')

export const getBackups = (): Promise<Backups> => ask('/system/backups')

/** `progress`: how many bytes have come. Resolves with them. */
export const makeBackup = (
  options: { passphrase: string | null; pictures: boolean },
  progress: (bytes: number) => void,
): Promise<number> => download('/system/backup', post(options), progress)

export const sendBackup = (file: File): Promise<{ encrypted: boolean }> =>
  ask('/system/restore', {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream' },
    body: file,
  })

export const restore = (passphrase: string | null, confirmed: boolean): Promise<ToRestore> =>
  ask('/system/restore', post({ passphrase, confirmed }))

export const logQuery = (level: string, text: string): string =>
  String(new URLSearchParams({ level, ...(text && { text }) }))

export const getLog = (
  query: string,
  after: number,
): Promise<{ lines: LogLine[]; last: number; level: string }> =>
  ask(`/system/log?${query}&after=${after}&limit=500`)

export const makeBundle = (): Promise<number> => download('/system/bundle', post({}))

export const lookFor = (what: What): Promise<Found> => ask('/privacy/forget/preview', post(what))

export const forget = (what: What): Promise<Gone> =>
  ask('/privacy/forget', post({ ...what, confirmed: true }))
