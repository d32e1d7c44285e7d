import { GatehouseError, messageOf } from '../core/index.ts'

/** SQLite's name for what went wrong (`SQLITE_FULL`, `SQLITE_IOERR_FSYNC` …), or an empty text. */
export function sqliteCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return ''
  const code = String(error.code)
  return code.startsWith('SQLITE_') ? code : ''
}

/** The medium failed, not the job: every job of the batch is lost with it. */
export function isMediumError(error: unknown): boolean {
  return /^SQLITE_(FULL|IOERR|CORRUPT|NOTADB|READONLY|CANTOPEN|NOMEM|PROTOCOL|BUSY|LOCKED)/.test(
    sqliteCode(error),
  )
}

/** The store failed, not what was asked of it: it may work another time. */
export function isStoreFailure(error: unknown): boolean {
  const told = error instanceof GatehouseError && /^(store_|disk_full)/.test(error.code)
  return told || sqliteCode(error) !== ''
}

/**
 * After these nothing more may be promised: a failed sync leaves it open what is on the disk (the kernel
 * forgets the pages that it could not write), a corrupt file gets worse by writing on.
 */
export function isFatal(error: unknown): boolean {
  const code = sqliteCode(error)
  return /^SQLITE_IOERR_(DIR_)?FSYNC|^SQLITE_CORRUPT|^SQLITE_NOTADB/.test(code)
}

/**
 * What the floors above are told: `disk_full`, `store_corrupt`, `store_unwritable` or `store_failed`, in one
 * line. A `GatehouseError` passes as it is.
 */
export function storeError(error: unknown, file = 'the database'): GatehouseError {
  if (error instanceof GatehouseError) return error
  const system = (error as { code?: unknown } | null)?.code
  const code = sqliteCode(error) || (typeof system === 'string' ? system : '')
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') {
    return new GatehouseError('disk_full', `The disk is full: make room on the disk of ${file}.`, {
      status: 507,
      cause: error,
    })
  }
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) {
    return new GatehouseError(
      'store_corrupt',
      `${file} is damaged or not a Gatehouse database: move it away, or restore a backup in its place.`,
      { status: 500, cause: error },
    )
  }
  if (/^(EACCES|EPERM|EROFS|ENOTDIR|EISDIR|SQLITE_(READONLY|CANTOPEN|PERM))/.test(code)) {
    return new GatehouseError(
      'store_unwritable',
      `${file} cannot be written: check its owner and permissions, or choose another folder with --data.`,
      { status: 500, cause: error },
    )
  }
  return new GatehouseError('store_failed', `The database failed: ${messageOf(error)}`, {
    status: 500,
    cause: error,
  })
}
