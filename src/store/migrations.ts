import { closeSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { GatehouseError } from '../core/index.ts'
import type { Connection } from './connection.ts'
import { isFatal, storeError } from './errors.ts'
import { SCHEMA_1 } from './schema.ts'
import { SCHEMA_ACCESS } from './schema-access.ts'
import { APPROVALS } from './schema-approvals.ts'
import { SCHEMA_CASES } from './schema-cases.ts'
import { SCHEMA_FEEDS } from './schema-feeds.ts'
import { SCHEMA_INDEXES } from './schema-indexes.ts'
import { SCHEMA_KEEP } from './schema-keep.ts'
import { SCHEMA_LEARN } from './schema-learn.ts'
import { SCHEMA_LINKS } from './schema-links.ts'
import { SCHEMA_LOOPS } from './schema-loops.ts'
import { SCHEMA_MOVES } from './schema-moves.ts'
import { SCHEMA_NOTICES } from './schema-notices.ts'
import { SCHEMA_OVER } from './schema-over.ts'
import { SCHEMA_OWED } from './schema-owed.ts'
import { SCHEMA_QUESTIONS } from './schema-questions.ts'
import { SCHEMA_REMOVED } from './schema-removed.ts'
import { SCHEMA_STOPS } from './schema-stops.ts'
import { SCHEMA_WELL } from './schema-well.ts'
import { sync } from './sync.ts'

/** The SQL that takes the file from version n to n + 1, at place n. Only ever added to. */
export const MIGRATIONS: readonly string[] = [
  SCHEMA_1,
  SCHEMA_LEARN,
  APPROVALS,
  SCHEMA_LOOPS,
  SCHEMA_NOTICES,
  SCHEMA_KEEP,
  SCHEMA_REMOVED,
  SCHEMA_MOVES,
  SCHEMA_OWED,
  SCHEMA_STOPS,
  SCHEMA_INDEXES,
  SCHEMA_OVER,
  SCHEMA_QUESTIONS,
  SCHEMA_FEEDS,
  SCHEMA_ACCESS,
  SCHEMA_WELL,
  SCHEMA_LINKS,
  SCHEMA_CASES,
]

/** "GATE": tells our files from other programs' databases. */
export const APPLICATION_ID = 0x47415445

/**
 * Brings the open file up to the newest version, forward only, each step in its own transaction. A file that
 * holds data is copied to `<file>.v<n>` first. Returns the copy's name, or null where none was needed.
 * Throws `store_newer` for a file of a later Gatehouse, `store_corrupt` for another program's.
 */
export function migrate(connection: Connection, file: string, migrations = MIGRATIONS): string | null {
  const version = pragma(connection, 'user_version')
  if (version > migrations.length) {
    throw new GatehouseError(
      'store_newer',
      `${file} was written by a newer Gatehouse (version ${version}, this one knows ${migrations.length}): ` +
        'install that version or restore an older backup.',
    )
  }
  const empty = pragma(connection, 'schema_version') === 0
  if (!empty && pragma(connection, 'application_id') !== APPLICATION_ID) {
    throw new GatehouseError(
      'store_corrupt',
      `${file} is the database of another program: move it away or choose another folder with --data.`,
    )
  }
  if (version === migrations.length) return null
  // Only a file with nothing in it can be told so: what is free in it is given back to the disk later, step by step.
  if (empty) connection.exec('PRAGMA auto_vacuum = INCREMENTAL')
  const copy = empty ? null : copyOf(connection, file, version)
  for (let at = version; at < migrations.length; at++) {
    connection.exec(
      `BEGIN IMMEDIATE; ${migrations[at]}; PRAGMA application_id = ${APPLICATION_ID}; ` +
        `PRAGMA user_version = ${at + 1}; COMMIT`,
    )
  }
  if (copy !== null) makeShrinkable(connection)
  return copy
}

/** A file from before that was usual is written anew, once; where there is no room for that it stays as it is. */
function makeShrinkable(connection: Connection): void {
  if (pragma(connection, 'auto_vacuum') !== 0) return
  try {
    connection.exec('PRAGMA auto_vacuum = INCREMENTAL')
    connection.exec('VACUUM')
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch (error) {
    if (isFatal(error)) throw error
  }
}

/** A complete copy under its final name, or none: it is written elsewhere, synced and renamed. */
function copyOf(connection: Connection, file: string, version: number): string {
  const copy = `${file}.v${version}`
  const unfinished = `${copy}.unfinished`
  try {
    rmSync(unfinished, { force: true })
    closeSync(openSync(unfinished, 'a', 0o600))
    connection.exec(`VACUUM INTO '${unfinished.replaceAll("'", "''")}'`)
    sync(unfinished)
    renameSync(unfinished, copy)
    sync(dirname(copy))
    return copy
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw storeError(error, copy)
  }
}

function pragma(connection: Connection, name: string): number {
  const row = connection.db.query(`PRAGMA ${name}`).get() as Record<string, number>
  return row[name] ?? 0
}
