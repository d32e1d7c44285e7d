import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { GatehouseError, type Log } from '../../core/index.ts'
import type { Connection } from '../connection.ts'
import { demandWhole, isDamage } from './check.ts'
import { copiesIn, markOf } from './copies.ts'
import { finishMending, mend } from './mend.ts'

/** What a start spends on looking whether its database is whole. */
const BUDGET_MS = 2_000

/**
 * Opens the database and looks whether it is whole; a damaged one is set aside and the newest good copy opened in its
 * place. The folder's lock is held.
 */
export function openMended(connection: Connection, file: string, now: number, log: Log): void {
  finishMending(file)
  try {
    if (existsSync(file) && statSync(file).size === 0 && copiesIn(dirname(file)).length)
      throw new GatehouseError('store_corrupt', `${file} is empty.`, { status: 500 })
    connection.open(file)
    const doubted = existsSync(markOf(file))
    demandWhole(connection, file, doubted ? Number.POSITIVE_INFINITY : BUDGET_MS)
  } catch (error) {
    connection.close()
    if (!isDamage(error)) throw error
    mend(file, error, now)
    connection.open(file)
    log.error(
      { file },
      'the database was damaged: it was set aside, and the newest good copy is in its place',
    )
  }
}
