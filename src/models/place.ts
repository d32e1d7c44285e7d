/** Puts files in their place whole or not at all. */
import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { GatehouseError, messageOf } from '../core/index.ts'
import { gigabytes } from './fit.ts'

/** Left on the disk: the box stops taking work on one that is nearly full. */
const KEEP_FREE = 1024 ** 3
const PIECE = 4 * 1024 * 1024
/** Temporary names of copies; after a day nobody copies any more. */
const COPYING = /^\.copying-/
const STALE_MS = 24 * 3_600_000

/** A file that somebody named, open for reading; links, folders and devices are refused. */
export async function openPlain(path: string, name: string): Promise<{ handle: FileHandle; bytes: number }> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  let handle: FileHandle
  try {
    handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    throw new GatehouseError('model_unreadable', `${name} ${whyNot(error)}`)
  }
  const found = await handle.stat()
  if (found.isFile()) return { handle, bytes: found.size }
  await handle.close()
  throw new GatehouseError('model_unreadable', `${name} is no file: name the model's file itself`)
}

function whyNot(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'ENOENT') return 'is not there: check the path'
  if (code === 'ELOOP') return 'is a link: name the file that it leads to'
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read by this user: change its rights'
  return `cannot be read (${messageOf(error)}): copy it again`
}

/** Throws `GatehouseError` `disk_full` where so many bytes more would leave too little. */
export async function demandRoom(dir: string, bytes: number): Promise<void> {
  await makeFolder(dir)
  const { bavail, bsize } = await statfs(dir)
  const free = bavail * bsize
  if (bytes + KEEP_FREE <= free) return
  const words = `${gigabytes(bytes)} and 1.1 GB to spare are needed on the disk of ${dir}, ${gigabytes(free)} are free`
  throw new GatehouseError('disk_full', `${words}: make room first`, { status: 507 })
}

export async function makeFolder(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
}

/** Copies into a new file in `dir` and syncs it. Answers with its path and hash; what fails leaves nothing behind. */
export async function copyIn(
  source: FileHandle,
  dir: string,
): Promise<{ path: string; sha256: string; bytes: number }> {
  await dropStale(dir)
  const path = join(dir, `.copying-${randomUUID()}`)
  const target = await open(path, 'wx', 0o600)
  const hash = createHash('sha256')
  let bytes = 0
  try {
    const piece = Buffer.alloc(PIECE)
    for (;;) {
      const { bytesRead } = await source.read(piece, 0, piece.length, bytes)
      if (bytesRead === 0) break
      const part = piece.subarray(0, bytesRead)
      hash.update(part)
      await writeAll(target, part, bytes)
      bytes += bytesRead
    }
    await target.sync()
    return { path, sha256: hash.digest('hex'), bytes }
  } catch (error) {
    await rm(path, { force: true })
    throw diskError(error, dir)
  } finally {
    await target.close()
  }
}

/** SHA-256 of an open file, hex. */
export async function hashOf(source: FileHandle): Promise<string> {
  const hash = createHash('sha256')
  const piece = Buffer.alloc(PIECE)
  for (let at = 0; ; ) {
    const { bytesRead } = await source.read(piece, 0, piece.length, at)
    if (bytesRead === 0) return hash.digest('hex')
    hash.update(piece.subarray(0, bytesRead))
    at += bytesRead
  }
}

/** Writes a small file whole or not at all. */
export async function writeWhole(dir: string, name: string, text: string): Promise<void> {
  const path = join(dir, `.copying-${randomUUID()}`)
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } catch (error) {
    await rm(path, { force: true })
    throw diskError(error, dir)
  } finally {
    await file.close()
  }
  await moveIn(path, dir, name)
}

/** Gives a file of the same folder its name for good. */
export async function moveIn(path: string, dir: string, name: string): Promise<void> {
  await rename(path, join(dir, name))
  const folder = await open(dir, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

export async function writeAll(target: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await target.write(bytes, written, bytes.length - written, at + written)
    written += bytesWritten
  }
}

/** In one line what a full or broken disk means. */
export function diskError(error: unknown, dir: string): GatehouseError {
  if (error instanceof GatehouseError) return error
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new GatehouseError('disk_full', `the disk of ${dir} is full: make room and try again`, {
      status: 507,
    })
  return new GatehouseError('model_unwritable', `${dir} cannot be written (${messageOf(error)})`, {
    cause: error,
  })
}

async function dropStale(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (!COPYING.test(name)) continue
    const path = join(dir, name)
    const found = await stat(path).catch(() => null)
    if (found && Date.now() - found.mtimeMs > STALE_MS) await rm(path, { recursive: true, force: true })
  }
}
