import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { storeError } from './errors.ts'

const HASH = /^[0-9a-f]{64}$/

/**
 * Pictures and clips on the disk, each under the SHA-256 of its bytes: the same picture is stored once, and a name never
 * comes from outside. `media/ab/abcdef…`.
 */
export class MediaFiles {
  readonly #dir: string
  /** Being removed: whoever stores the same picture waits for that. */
  readonly #removing = new Map<string, Promise<void>>()
  /** Being stored, and not yet known to be on the disk. */
  readonly #storing = new Map<string, Promise<void>>()
  /** Stored a short while ago, this run of the clock or the one before: a row may still be on its way. */
  #fresh = new Set<string>()
  #fresher = new Set<string>()

  /** `dir`: the data folder. */
  constructor(dir: string) {
    this.#dir = join(dir, 'media')
  }

  /** Makes the folder and clears away what an interrupted `put` left. */
  async start(): Promise<void> {
    await mkdir(this.#incoming, { recursive: true, mode: 0o700 })
    for (const name of await readdir(this.#incoming)) await rm(join(this.#incoming, name), { force: true })
  }

  /**
   * Stores bytes, synced to the disk before it resolves; whoever stores the same at the same time waits for the same
   * sync. Rejects with `disk_full` or `store_failed`.
   */
  async put(bytes: Uint8Array): Promise<{ hash: string; bytes: number }> {
    const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
    this.#fresher.add(hash)
    let storing = this.#storing.get(hash)
    if (!storing) {
      storing = this.#store(hash, bytes).finally(() => this.#storing.delete(hash))
      this.#storing.set(hash, storing)
    }
    await storing
    return { hash, bytes: bytes.byteLength }
  }

  /**
   * Stores a file of this disk, which is taken away from where it is: what `put` does for what is too large to hold.
   */
  async putFile(file: string): Promise<{ hash: string; bytes: number }> {
    const hasher = new Bun.CryptoHasher('sha256')
    let bytes = 0
    for await (const chunk of Bun.file(file).stream()) {
      hasher.update(chunk)
      bytes += chunk.byteLength
    }
    const hash = hasher.digest('hex')
    this.#fresher.add(hash)
    const folder = join(this.#dir, hash.slice(0, 2))
    await this.#removing.get(hash)
    try {
      await sync(file)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await rename(file, this.#path(hash))
      await sync(folder)
    } catch (error) {
      throw storeError(error, this.#dir)
    }
    return { hash, bytes }
  }

  async #store(hash: string, bytes: Uint8Array): Promise<void> {
    const path = this.#path(hash)
    const temporary = join(this.#incoming, crypto.randomUUID())
    const folder = join(this.#dir, hash.slice(0, 2))
    await this.#removing.get(hash)
    try {
      if ((await sizeOf(path)) === bytes.byteLength) {
        // Whether whoever renamed it came to the sync is not known: it may have been killed in between.
        await sync(path)
      } else {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await mkdir(this.#incoming, { recursive: true, mode: 0o700 })
        await writeSynced(temporary, bytes)
        await rename(temporary, path)
      }
      await sync(folder)
    } catch (error) {
      // What cannot be cleared away now is at the next start; why it could not be stored is what has to be told.
      await rm(temporary, { force: true }).catch(() => undefined)
      throw storeError(error, this.#dir)
    }
  }

  /** The bytes, or null if `hash` is not a hash or nothing is stored under it. */
  async read(hash: string): Promise<Uint8Array | null> {
    const file = this.open(hash)
    return file && (await file.exists()) ? file.bytes() : null
  }

  /** The file, to be sent as it is; null if `hash` is not a hash. It may not exist. */
  open(hash: string): Bun.BunFile | null {
    return HASH.test(hash) ? Bun.file(this.#path(hash)) : null
  }

  /** Removes what no row names any more, unless it was stored a short while ago; false then. */
  async remove(hash: string): Promise<boolean> {
    if (this.#fresh.has(hash) || this.#fresher.has(hash) || !HASH.test(hash)) return false
    const removing = rm(this.#path(hash), { force: true })
    this.#removing.set(hash, removing)
    try {
      await removing
    } finally {
      this.#removing.delete(hash)
    }
    return true
  }

  /** Removes it though it was stored just now: somebody wants it gone, and no row names it any more. */
  async forget(hash: string): Promise<void> {
    this.#fresh.delete(hash)
    this.#fresher.delete(hash)
    await this.#storing.get(hash)?.catch(() => undefined)
    await this.remove(hash)
  }

  /** To be called about once in ten minutes: what was stored before the last time is not fresh any more. */
  age(): void {
    this.#fresh = this.#fresher
    this.#fresher = new Set()
  }

  /** The hashes of everything that is stored, read folder by folder. */
  async *all(): AsyncGenerator<string> {
    const folders = await readdir(this.#dir).catch(() => [])
    for (const folder of folders.filter(name => /^[0-9a-f]{2}$/.test(name)))
      for (const name of await readdir(join(this.#dir, folder))) if (HASH.test(name)) yield name
  }

  get #incoming(): string {
    return join(this.#dir, 'incoming')
  }

  #path(hash: string): string {
    return join(this.#dir, hash.slice(0, 2), hash)
  }
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Of a file or a folder: a rename is on the disk once its folder is. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => null)
  return found?.size ?? -1
}
