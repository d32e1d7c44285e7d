import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { iso } from '../../core/index.ts'
import { FolderLock, putInPlace } from '../../store/index.ts'
import { clearStarts } from '../starts.ts'
import { DATABASE, isMedia, STAGED } from './format.ts'
import { giveToOwner } from './owner.ts'
import { type Unpacked, unpack } from './read.ts'
import type { Key } from './seal.ts'

/**
 * Makes a data folder what a backup says, on this box or another: everything is unpacked and looked at beside it first,
 * what was there is set aside, the database comes last. The box is stopped meanwhile. Cut off, it is run again.
 */
export async function restoreBackup(
  file: string,
  dataDir: string,
  key: () => Promise<Key>,
  now: number,
  by?: string,
): Promise<Unpacked> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const lock = new FolderLock(dataDir)
  lock.take(now)
  const staged = join(dataDir, STAGED)
  try {
    await rm(staged, { recursive: true, force: true })
    const unpacked = await unpack(file, staged, key)
    const aside = join(dataDir, 'damaged', iso(now).replaceAll(/[-:]|\.\d+/g, ''))
    for (const name of unpacked.names.filter(each => each !== DATABASE)) {
      const to = isMedia(name) ? join(dataDir, 'media', name.slice(6, 8), name.slice(6)) : join(dataDir, name)
      if (!isMedia(name) && existsSync(to)) await move(to, join(aside, name))
      await move(join(staged, name), to)
    }
    // They are newer than what comes now, and would be taken for it one day.
    await rm(join(dataDir, 'copies'), { recursive: true, force: true })
    for (const name of await readdir(dataDir))
      if (name.startsWith(`${DATABASE}.v`)) await rm(join(dataDir, name), { force: true })
    const { at } = unpacked.head
    const what = {
      of: Date.parse(at),
      at: now,
      why: `The backup of ${at} was put in place${by === undefined ? '' : ` by ${by}`}.`,
    }
    putInPlace(join(dataDir, DATABASE), join(staged, DATABASE), what)
    clearStarts(dataDir)
    return unpacked
  } finally {
    await rm(staged, { recursive: true, force: true })
    lock.release()
    await giveToOwner(dataDir)
  }
}

/** Looks at every byte of a backup, beside a box that may be running, and changes nothing. */
export async function checkBackup(file: string, dataDir: string, key: () => Promise<Key>): Promise<Unpacked> {
  const staged = join(dataDir, `looked-at-${process.pid}`)
  try {
    return await unpack(file, staged, key)
  } finally {
    await rm(staged, { recursive: true, force: true })
  }
}

async function move(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await rename(from, to)
}
