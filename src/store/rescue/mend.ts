import { Database } from 'bun:sqlite'
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { GatehouseError, iso, messageOf } from '../../core/index.ts'
import { Connection } from '../connection.ts'
import { storeError } from '../errors.ts'
import { APPLICATION_ID, MIGRATIONS } from '../migrations.ts'
import { sync } from '../sync.ts'
import { demandWhole } from './check.ts'
import { copiesIn, markOf } from './copies.ts'

/** What a restored file says of itself, until the engine has drawn its conclusions. */
export const RESTORED = 'restored'
/** Damaged files that are kept for whoever wants to look at them. */
const KEPT = 2

/** Where the state comes from that is put in the place of another. */
export interface Restored {
  /** Of when it is (epoch ms). */
  of: number
  /** When it was put there. */
  at: number
  /** Why; one line for people. */
  why: string
  /** Folder, in the data folder, with what was there before. */
  aside: string | null
}

/**
 * Puts the newest good copy in the place of a damaged file, which is set aside. `why`: how the file is damaged. Throws
 * `store_corrupt` where there is no good copy: then everything stays as it is. The folder's lock is held.
 */
export function mend(file: string, why: unknown, now: number): void {
  const dir = dirname(file)
  for (const { path, at } of candidates(file)) {
    if (!isGood(path)) continue
    putInPlace(file, path, { of: at, at: now, why: messageOf(why).replace(dir, '').replace(/^\//, '') })
    return
  }
  throw new GatehouseError(
    'store_corrupt',
    `${file} is damaged and there is no good copy: put a backup in its place (gatehouse restore FILE --data ${dir}), ` +
      'or move it away to begin anew.',
    { status: 500, cause: why },
  )
}

/** The version of a database, and the newest that this program knows; null: there is no such file. */
export function schemaOf(path: string): { is: number | null; known: number } {
  const connection = new Connection()
  const known = MIGRATIONS.length
  if (!existsSync(path)) return { is: null, known }
  try {
    connection.open(path)
    return { is: connection.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0, known }
  } finally {
    connection.close()
  }
}

/** Makes `from` the database of the folder; what was there is set aside. Survives a kill at any place. */
export function putInPlace(file: string, from: string, what: Omit<Restored, 'aside'>): void {
  const ready = readyOf(file)
  const unfinished = `${ready}.unfinished`
  const aside = join('damaged', iso(what.at).replaceAll(/[-:]|\.\d+/g, ''))
  try {
    rmSync(unfinished, { force: true })
    copyFileSync(from, unfinished)
    note(unfinished, { ...what, aside: existsSync(file) ? aside : null })
    sync(unfinished)
    renameSync(unfinished, ready)
    sync(dirname(file))
    finishMending(file)
  } catch (error) {
    throw storeError(error, file)
  }
}

/** Where a mend was cut off after its copy was ready, it is brought to its end. */
export function finishMending(file: string): void {
  const ready = readyOf(file)
  if (!existsSync(ready)) return
  const dir = dirname(file)
  const { aside } = noted(ready) ?? { aside: null }
  if (aside !== null) {
    const folder = join(dir, aside)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const end of ['', '-wal', '-shm']) {
      const to = join(folder, basename(file) + end)
      if (existsSync(file + end) && !existsSync(to)) linkSync(file + end, to)
    }
    sync(folder)
  }
  // The log goes first: the file that comes must never meet it.
  for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true })
  sync(dir)
  renameSync(ready, file)
  rmSync(markOf(file), { force: true })
  sync(dir)
  const kept = join(dir, 'damaged')
  if (!existsSync(kept)) return
  for (const old of readdirSync(kept).sort().reverse().slice(KEPT))
    rmSync(join(kept, old), { recursive: true, force: true })
}

const readyOf = (file: string) => `${file}.restored`

/** Copies that the box made of itself, then those from before its updates; newest first. */
function candidates(file: string): { path: string; at: number }[] {
  const dir = dirname(file)
  const updates = readdirSync(dir)
    .filter(name => /^gatehouse\.db\.v\d+$/.test(name))
    .map(name => ({ path: join(dir, name), at: statSync(join(dir, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at)
  return [...copiesIn(dir), ...updates]
}

/** Whole, ours, and not newer than this program. */
export function isGood(path: string): boolean {
  const connection = new Connection()
  try {
    connection.open(path)
    demandWhole(connection, path, Number.POSITIVE_INFINITY)
    const version = connection.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0
    const ours = connection.get<{ application_id: number }>('PRAGMA application_id')?.application_id
    return ours === APPLICATION_ID && version > 0 && version <= MIGRATIONS.length
  } catch {
    return false
  } finally {
    connection.close()
  }
}

function note(file: string, restored: Restored): void {
  const db = new Database(file, { readwrite: true })
  try {
    db.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', [RESTORED, JSON.stringify(restored)])
  } finally {
    db.close()
  }
}

function noted(file: string): Restored | null {
  const db = new Database(file, { readonly: true })
  try {
    const row = db.query('SELECT value FROM meta WHERE key = ?').get(RESTORED) as { value: string } | null
    return row && (JSON.parse(row.value) as Restored)
  } finally {
    db.close()
  }
}
