import { createHash } from 'node:crypto'

/**
 * The id of a notice outside of this box, the same however often it goes out and by whichever channel. Its time is
 * part of it: a database that was restored from a backup gives numbers anew that others have seen.
 */
export function alertId(boxId: string, notice: number, at: string): string {
  return `alrt_${createHash('sha256').update(`${boxId} ${notice} ${at}`).digest('hex').slice(0, 12)}`
}
