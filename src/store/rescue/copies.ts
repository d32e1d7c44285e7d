import { Database } from 'bun:sqlite'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { GatehouseError } from '../../core/index.ts'
import { Connection } from '../connection.ts'
import { storeError } from '../errors.ts'
import { sync } from '../sync.ts'
import { demandWhole, isDamage } from './check.ts'

const NAME = /^gatehouse-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/
/** Left free on the disk by a copy. */
const SPARE_BYTES = 128 * 1024 * 1024

/** A copy of the database that the box made of itself. */
export interface Copy {
  path: string
  /** When it was made (epoch ms). */
  at: number
}

/** The copies in a data folder, newest first. */
export function copiesIn(dir: string): Copy[] {
  const folder = join(dir, 'copies')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .flatMap(name => {
      const [, y, m, d, h, min, s] = NAME.exec(name) ?? []
      return y ? [{ path: join(folder, name), at: Date.parse(`${y}-${m}-${d}T${h}:${min}:${s}Z`) }] : []
    })
    .filter(({ at }) => Number.isFinite(at))
    .sort((a, b) => b.at - a.at)
}

/** Says to the next start that the file has to be looked at wholly, however long that takes. */
export const markDamaged = (file: string): void => writeFileSync(markOf(file), '', { mode: 0o600 })
export const markOf = (file: string): string => `${file}.damaged`

/**
 * Makes a copy beside a running box: one that is consistent, was looked at wholly, and is there under its name only once
 * it is on the disk. Keeps the newest `keep`. Throws `store_corrupt` (the next start then mends it), `disk_full`.
 */
export async function makeCopy(dir: string, now: number, keep: number): Promise<Copy> {
  const stamp = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const path = join(dir, 'copies', `gatehouse-${stamp}.db`)
  demandBox(dir)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  for (const name of readdirSync(dirname(path)).filter(each => each.endsWith('.unfinished')))
    rmSync(join(dirname(path), name), { force: true })
  await copyDatabase(join(dir, 'gatehouse.db'), path)
  for (const old of copiesIn(dir).slice(keep)) rmSync(old.path, { force: true })
  return { path, at: now }
}

/** One consistent copy of the database `file`, which may be in use. */
export async function copyDatabase(file: string, to: string): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(to))
  if (bavail * bsize < statSync(file).size + SPARE_BYTES)
    throw new GatehouseError(
      'disk_full',
      `There is no room for a copy: make room on the disk of ${dirname(to)}.`,
      { status: 507 },
    )
  const unfinished = `${to}.unfinished`
  const connection = new Connection()
  let db: Database | null = null
  try {
    rmSync(unfinished, { force: true })
    closeSync(openSync(unfinished, 'a', 0o600))
    db = new Database(file, { readonly: true, strict: true })
    db.run('PRAGMA busy_timeout = 5000')
    db.run('PRAGMA temp_store = FILE')
    db.run(`VACUUM INTO '${unfinished.replaceAll("'", "''")}'`)
    db.close()
    connection.open(unfinished)
    demandWhole(connection, unfinished, Number.POSITIVE_INFINITY)
    connection.close()
    sync(unfinished)
    renameSync(unfinished, to)
    sync(dirname(to))
  } catch (error) {
    if (isDamage(error)) markDamaged(file)
    throw storeError(error, file)
  } finally {
    db?.close()
    connection.close()
    rmSync(unfinished, { force: true })
  }
}

/** Throws `no_box` where nothing is stored in a folder. */
export function demandBox(dir: string): void {
  if (!existsSync(join(dir, 'gatehouse.db')))
    throw new GatehouseError('no_box', `There is no box in ${dir}: name its folder with --data`)
}
