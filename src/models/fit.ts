import type { Hardware } from '../hardware/index.ts'

/** Left for the system, the engine and the eyes. */
const RESERVE = 1024 ** 3

/** Memory of this box that a language model may have; null where its size is not known. */
export function roomOf({ ramBytes }: Pick<Hardware, 'ramBytes'>): number | null {
  return ramBytes > 0 ? Math.max(0, ramBytes - RESERVE) : null
}

/** Whether a model fits this box, and why not; null: it does, as far as that is known. */
export function misfit(needBytes: number, hardware: Pick<Hardware, 'ramBytes'>): string | null {
  const room = roomOf(hardware)
  if (room === null || needBytes <= room) return null
  return `it needs about ${gigabytes(needBytes)} of memory, and this box has ${gigabytes(room)} for it`
}

/** Bytes for people. */
export function gigabytes(bytes: number): string {
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}
