import { Database } from 'bun:sqlite'
import { once } from 'node:events'
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Pack, pack } from 'tar-stream'
import { GatehouseError, iso, messageOf } from '../../core/index.ts'
import { copyDatabase, demandBox } from '../../store/index.ts'
import { version } from '../version.ts'
import {
  backupName,
  DATABASE,
  END,
  type End,
  HEAD,
  type Head,
  isPlain,
  isPrivate,
  MOST_BYTES,
  SCHEMA,
} from './format.ts'
import { type Seal, seal } from './seal.ts'

export interface BackupOptions {
  dataDir: string
  /** A folder, in which the backup gets a name of its own and the newest `keep` stay; or a file. */
  to: string
  seal: Seal
  pictures: boolean
  keep: number
  now: number
}

export interface Made extends End {
  file: string
  bytes: number
  secrets: boolean
}

/**
 * Writes a backup beside a box that may be running: its database as it was at one moment, the pictures that it names, and
 * its files. Under its name only once it is whole and on the disk.
 */
export async function writeBackup(options: BackupOptions): Promise<Made> {
  const { to, now, keep } = options
  const isFolder = await stat(to).then(
    found => found.isDirectory(),
    () => false,
  )
  const folder = isFolder ? to : dirname(to)
  if (!existsSync(folder))
    throw new GatehouseError('bad_request', `${folder} is not there: is the disk connected and mounted?`)
  let unfinished = ''
  try {
    return await during(options, async (contents, box) => {
      const file = isFolder ? join(to, backupName(box, now, options.seal !== null)) : to
      unfinished = `${file}.unfinished`
      const [made, bytes] = await poured(contents, stream => write(stream, unfinished))
      await rename(unfinished, file)
      if (isFolder) await prune(to, box, keep)
      return { file, bytes, secrets: contents.head.secrets, ...made }
    })
  } catch (error) {
    throw inWords(error, folder)
  } finally {
    if (unfinished) await rm(unfinished, { force: true })
  }
}

/** The same, handed on piece by piece: nothing of it is written here. */
export async function pourBackup(
  options: Contained,
  out: (stream: ReadableStream<Uint8Array>) => Promise<void>,
): Promise<void> {
  try {
    await during(options, contents => poured(contents, out))
  } catch (error) {
    throw inWords(error, options.dataDir)
  }
}

/** With a copy of the database that is there for as long. */
async function during<T>(
  options: Contained,
  job: (contents: Contents, box: string) => Promise<T>,
): Promise<T> {
  const { dataDir, now, seal, pictures } = options
  const copies = join(dataDir, 'copies')
  const database = join(copies, `backup-${process.pid}`)
  demandBox(dataDir)
  await mkdir(copies, { recursive: true, mode: 0o700 })
  try {
    await copyDatabase(join(dataDir, DATABASE), database)
    const { box, hashes } = namedIn(database)
    const head: Head = { schema: SCHEMA, version, box, at: iso(now), secrets: seal !== null }
    return await job({ ...options, head, database, hashes: pictures ? hashes : [] }, box)
  } finally {
    await rm(database, { force: true })
  }
}

/** Whoever fails first ends the other. */
async function poured<T>(
  contents: Contents,
  out: (stream: ReadableStream<Uint8Array>) => Promise<T>,
): Promise<[End, T]> {
  const archive = pack()
  const filled = fill(archive, contents)
  const written = out(await seal(streamOf(archive), contents.seal))
  return Promise.all([
    filled.catch(error => {
      archive.destroy(error)
      throw error
    }),
    written,
  ])
}

function inWords(error: unknown, folder: string): GatehouseError {
  if (error instanceof GatehouseError) return error
  const code = (error as { code?: string }).code
  if (code === 'ENOSPC' || code === 'EFBIG' || code === 'EDQUOT')
    return new GatehouseError(
      'disk_full',
      `There is no room for the backup in ${folder} (${code}): make room, or leave pictures out with --no-pictures.`,
      { status: 507 },
    )
  return new GatehouseError(
    'backup_failed',
    `The backup could not be written to ${folder}: ${messageOf(error)}`,
    { status: 500 },
  )
}

type Contained = Omit<BackupOptions, 'to' | 'keep'>

interface Contents extends Contained {
  head: Head
  database: string
  hashes: readonly string[]
}

async function fill(archive: Pack, { dataDir, head, database, hashes }: Contents): Promise<End> {
  const end = { members: 0, media: 0, missing: 0 }
  const whole = async (name: string, bytes: Uint8Array) => {
    const entry = archive.entry({ name, size: bytes.length, mode: 0o600 })
    entry.end(bytes)
    await once(entry, 'finish')
    end.members++
  }
  await whole(HEAD, Buffer.from(JSON.stringify(head)))
  await streamed(archive, DATABASE, database)
  end.members++
  for (const name of await filesOf(dataDir, head.secrets)) {
    const { size } = await stat(join(dataDir, name))
    if (size <= MOST_BYTES) await whole(name, await readFile(join(dataDir, name)))
  }
  for (const hash of hashes) {
    const there = await streamed(archive, `media/${hash}`, join(dataDir, 'media', hash.slice(0, 2), hash))
    if (there) end.members++
    if (there) end.media++
    // Its time was over meanwhile.
    else end.missing++
  }
  await whole(END, Buffer.from(JSON.stringify(end)))
  archive.finalize()
  return end
}

async function filesOf(dataDir: string, secrets: boolean): Promise<string[]> {
  const names = (await readdir(dataDir)).filter(isPlain)
  if (!secrets) return names
  for (const folder of ['secrets', 'tls']) {
    const inside = await readdir(join(dataDir, folder), { withFileTypes: true }).catch(() => [])
    names.push(...inside.filter(each => each.isFile()).map(({ name }) => `${folder}/${name}`))
  }
  return names.filter(name => isPlain(name) || isPrivate(name))
}

async function streamed(archive: Pack, name: string, path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  if (!found) return false
  const entry = archive.entry({ name, size: found.size, mode: 0o600 })
  const finished = once(entry, 'finish')
  finished.catch(() => undefined)
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    if (!entry.write(chunk)) await once(entry, 'drain')
  }
  // Its types want a chunk.
  entry.end(undefined as never)
  await finished
  return true
}

/** Which box this is, and the pictures that its rows name. */
function namedIn(file: string): { box: string; hashes: string[] } {
  const db = new Database(file, { readonly: true, strict: true })
  try {
    const box = db.query("SELECT value FROM meta WHERE key = 'box_id'").get() as { value: string } | null
    // A file that no newer program has opened since holds no cases yet.
    const tables = ['media', 'case_pictures'].filter(name =>
      db.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(name),
    )
    const hashes = tables.map(name => `SELECT hash FROM ${name}`).join(' UNION ')
    const rows = db.query(`${hashes} ORDER BY hash`).values() as [string][]
    return {
      box: box?.value ?? 'box',
      hashes: rows.map(([hash]) => hash).filter(hash => /^[0-9a-f]{64}$/.test(hash)),
    }
  } finally {
    db.close()
  }
}

function streamOf(archive: Pack): ReadableStream<Uint8Array> {
  const chunks = archive[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(new Uint8Array(value))
    },
  })
}

async function write(stream: ReadableStream<Uint8Array>, path: string): Promise<number> {
  await rm(path, { force: true })
  const handle = await open(path, 'wx', 0o600)
  let bytes = 0
  try {
    for await (const chunk of stream) {
      await handle.writeFile(chunk)
      bytes += chunk.length
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  return bytes
}

async function prune(folder: string, box: string, keep: number): Promise<void> {
  const ours = (await readdir(folder)).filter(
    name => name.startsWith(`gatehouse-${box}-`) && /Z\.tar(\.age)?$/.test(name),
  )
  const byTime = ours.sort((a, b) => basename(b).localeCompare(basename(a)))
  for (const old of byTime.slice(keep)) await rm(join(folder, old), { force: true })
}
