/**
 * What root does about a box's data it does as the owner of that data, in a process of its own without any right: what
 * lies there was written by a program that faces the network.
 */
import { Database } from 'bun:sqlite'
import { existsSync, lstatSync, statSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { GatehouseError, messageOf, systemClock } from '../../core/index.ts'
import { type BackupsSetting, Site, type UpdatesSetting } from '../../site/index.ts'
import { copyDatabase, putInPlace, schemaOf } from '../../store/index.ts'
import { type Asked, KEPT_BEFORE, type Kept, REQUEST } from './status.ts'

/** What the site file says; places as it has them. `problem`: why it is not understood. */
export interface Settings {
  updates: Omit<UpdatesSetting, 'from'> | null
  backups: Omit<BackupsSetting, 'to'> | null
  zone: string
  problem: string | null
}

const DATABASE = 'gatehouse.db'
const folderOf = (dataDir: string) => join(dataDir, KEPT_BEFORE)
const keptIn = (dataDir: string) => join(folderOf(dataDir), 'before.db')
/** One download. */
const PATIENCE_MS = 30 * 60_000

/** One step, as the owner already; what it finds goes to `out`. */
export async function ownerStep(
  words: readonly string[],
  dataDir: string,
  out: (found: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const [step = '', first = '', second = ''] = words
  if (step === 'fetch') return out(fetched(first, Number(second)))
  if (step === 'backup') {
    const { pourBackup } = await import('../backup/write.ts')
    const seal = first === '' ? null : { recipient: first }
    const now = systemClock.now()
    return pourBackup({ dataDir, seal, pictures: second !== 'without', now }, stream =>
      out(stream as unknown as AsyncIterable<Uint8Array>),
    )
  }
  const found = await small(step, first, second, dataDir)
  return out(
    (async function* () {
      yield Buffer.from(found)
    })(),
  )
}

/** A step that finds no more than a line. */
async function small(step: string, first: string, second: string, dataDir: string): Promise<string> {
  switch (step) {
    case 'settings':
      return JSON.stringify(await settingsIn(dataDir))
    case 'asked':
      return JSON.stringify(await askedIn(dataDir))
    case 'keep':
      return JSON.stringify(await keep(dataDir))
    case 'kept':
      return JSON.stringify(keptBefore(dataDir))
    case 'schema':
      return JSON.stringify(schemaOf(join(dataDir, DATABASE)))
    case 'put-back':
      return JSON.stringify(putBack(dataDir, JSON.parse(first) as Kept, second))
    case 'box':
      return JSON.stringify(boxOf(join(dataDir, DATABASE)))
    default:
      throw new GatehouseError('wrong_use', `there is no step “${step}”`)
  }
}

async function settingsIn(dataDir: string): Promise<Settings> {
  const file = join(dataDir, 'site.yaml')
  try {
    const site = existsSync(file) ? Site.load(await readFile(file, 'utf8'), file) : new Site()
    return { updates: site.updates, backups: site.backups, zone: site.timeZone, problem: null }
  } catch (error) {
    return { updates: null, backups: null, zone: 'UTC', problem: messageOf(error) }
  }
}

/** What the engine asks for; asked once. */
async function askedIn(dataDir: string): Promise<Asked | null> {
  const file = join(dataDir, REQUEST)
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (!found) return null
  const text = found.isFile() && found.size < 1_000 ? await readFile(file, 'utf8').catch(() => '') : ''
  await rm(file, { recursive: true, force: true })
  return { do: text.includes('"check"') ? 'check' : 'install' }
}

/** What lies at an address that the site lists: that many bytes at most, and along no redirect. */
async function* fetched(address: string, most: number): AsyncIterable<Uint8Array> {
  const host = URL.parse(address)?.host ?? address
  let response: Response
  try {
    response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) })
  } catch (error) {
    const how = 'look whether updates.from is right and IPAddressAllow= lets gatehouse-update reach it'
    throw new GatehouseError('not_fetched', `${host} does not answer (${messageOf(error)}): ${how}`)
  }
  if (response.status !== 200 || !response.body) {
    const what = response.status === 404 ? 'has no such file' : `answers ${response.status}`
    throw new GatehouseError('not_fetched', `${host} ${what}: ${address}`)
  }
  let bytes = 0
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > most)
      throw new GatehouseError('not_fetched', `${address} is larger than it may be: ${most} bytes`)
    yield chunk
  }
}

/** The database as it is, beside it. The engine is stopped. */
async function keep(dataDir: string): Promise<Kept | null> {
  const file = join(dataDir, DATABASE)
  if (!existsSync(file)) return null
  await mkdir(folderOf(dataDir), { recursive: true, mode: 0o700 })
  await copyDatabase(file, keptIn(dataDir))
  return { at: systemClock.now(), seen: seen(file) }
}

/** By which id a box is known. */
function boxOf(file: string): string {
  const db = new Database(file, { readonly: true })
  try {
    const row = db.query("SELECT value FROM meta WHERE key = 'box_id'").get() as { value: string } | null
    return row?.value ?? 'box'
  } finally {
    db.close()
  }
}

/** What was kept before the last update; null: nothing. */
function keptBefore(dataDir: string): Kept | null {
  const found = statSync(keptIn(dataDir), { throwIfNoEntry: false })
  return found ? { at: Math.round(found.mtimeMs), seen: '' } : null
}

/** Puts it in place again; what was there is set aside. Nothing is done where nothing was written since. */
function putBack(dataDir: string, kept: Kept, why: string): { restored: boolean } {
  const file = join(dataDir, DATABASE)
  if (!existsSync(keptIn(dataDir)) || seen(file) === kept.seen) return { restored: false }
  putInPlace(file, keptIn(dataDir), { of: kept.at, at: systemClock.now(), why })
  return { restored: true }
}

/** Changes with everything that is written. */
function seen(file: string): string {
  return ['', '-wal']
    .map(end => {
      const found = statSync(file + end, { throwIfNoEntry: false })
      return found && found.size > 0 ? `${found.size}@${found.mtimeMs}` : '-'
    })
    .join(' ')
}
