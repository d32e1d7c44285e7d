import { readdirSync, readFileSync, statSync } from 'node:fs'
import { copyFile, mkdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { GatehouseError } from '../../core/index.ts'
import type { Shelf } from '../../site/index.ts'
import type { AsOwner } from './as-owner.ts'
import { archiveOf, compareVersions, type Release, releaseNamed } from './release.ts'

/** No release is larger. */
export const MOST_ARCHIVE = 512 * 1024 * 1024
const MOST_TEXT = 16 * 1024

/** A release that a source says it has; nothing of it is believed yet. */
export interface Found {
  release: Release
  bytes: number
  notes: string | null
  /** Where, for people. */
  at: string
  signature(): Promise<string>
  /** Writes the archive into a new file. */
  into(file: string, heard: (bytes: number) => void): Promise<void>
}

/** What a source is asked with. */
export interface Asking {
  /** For this machine. */
  target: string
  owner: AsOwner
  /** Whether a text of a source is signed. Throws `bad_signature`. */
  signed(text: string, signature: string): Promise<void>
}

/** The newest release of a folder or an address, or the one that a file is; null: there is none for this machine. */
export async function newestAt(
  shelf: Exclude<Shelf, { kind: 'disk' }>,
  asking: Asking,
): Promise<Found | null> {
  if (shelf.kind === 'url') return newestAtUrl(shelf.url, asking)
  const found = statSync(shelf.path, { throwIfNoEntry: false })
  if (!found)
    throw new GatehouseError('no_source', `${shelf.path} is not there: is the stick plugged in and mounted?`)
  if (!found.isDirectory()) return atFile(shelf.path, null)
  const releases = readdirSync(shelf.path).flatMap(file => {
    const release = releaseNamed(file)
    return release ? [{ file: join(shelf.path, file), release }] : []
  })
  const fitting = releases
    .filter(({ release }) => release.target === asking.target)
    .sort((a, b) => compareVersions(b.release.version, a.release.version))
  const [newest] = fitting
  if (newest) return atFile(newest.file, notesBeside(shelf.path, newest.release))
  const [other] = releases
  if (other)
    throw new GatehouseError(
      'wrong_target',
      `${shelf.path} has releases for ${other.release.target}, and this machine takes ${asking.target}: bring that one.`,
    )
  return null
}

function atFile(file: string, notes: string | null): Found {
  const release = releaseNamed(file)
  if (!release)
    throw new GatehouseError(
      'no_source',
      `${file} is no release: its name is gatehouse-VERSION-TARGET.tar.xz`,
    )
  const signature = `${file}.minisig`
  const found = statSync(file)
  // A folder of the data may hold whatever faces the network; root neither waits for a pipe nor reads a device.
  if (!found.isFile()) throw new GatehouseError('no_source', `${file} is no file: bring the release anew.`)
  return {
    ...{ release, notes, at: file, bytes: found.size },
    signature: async () => {
      const text = textOf(signature)
      if (text !== '') return text
      throw new GatehouseError(
        'bad_signature',
        `${signature} is not there: an update has to be signed, bring it too.`,
      )
    },
    into: async (to, heard) => {
      await copyFile(file, to)
      heard(statSync(to).size)
    },
  }
}

/** One line of what is new, as the index beside it says; only shown, and only until it is installed. */
function notesBeside(folder: string, { version, target }: Release): string | null {
  const index = indexIn(textOf(join(folder, indexOf(target))))
  return index?.version === version ? index.notes : null
}

function textOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false })
  return found?.isFile() && found.size <= MOST_TEXT ? readFileSync(file, 'utf8') : ''
}

/** The signed file of an address that says which release is the newest there. */
export const indexOf = (target: string): string => `latest-${target}.txt`

async function newestAtUrl(folder: URL, { target, owner, signed }: Asking): Promise<Found | null> {
  const at = (name: string) => {
    const url = new URL(folder)
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${name}`
    return url.href
  }
  const small = (name: string) => owner.text('fetch', at(name), String(MOST_TEXT))
  const text = await small(indexOf(target))
  await signed(text, await small(`${indexOf(target)}.minisig`))
  const index = indexIn(text)
  if (!index || index.target !== target)
    throw new GatehouseError('no_source', `${at(indexOf(target))} names no release for ${target}.`)
  const { version, bytes, notes } = index
  const archive = archiveOf({ version, target })
  return {
    ...{ release: { version, target }, bytes, notes, at: at(archive) },
    signature: () => small(`${archive}.minisig`),
    into: (to, heard) => owner.into(to, heard, 'fetch', at(archive), String(Math.min(bytes, MOST_ARCHIVE))),
  }
}

function indexIn(text: string): (Release & { bytes: number; notes: string | null }) | null {
  const of = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1]?.trim() ?? ''
  const bytes = Number(of('bytes'))
  const release = releaseNamed(archiveOf({ version: of('version'), target: of('target') }))
  if (!release || !Number.isSafeInteger(bytes) || bytes <= 0 || bytes > MOST_ARCHIVE) return null
  const notes = of('notes')
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, 200)
  return { ...release, bytes, notes: notes || null }
}

/** Does something with a disk that is mounted for just that. Root alone may. */
export async function withShelf<T>(
  shelf: Shelf,
  write: boolean,
  work: (shelf: Exclude<Shelf, { kind: 'disk' }>) => Promise<T>,
): Promise<T> {
  if (shelf.kind !== 'disk') return work(shelf)
  const { RUNTIME_DIRECTORY = '/run' } = process.env
  const place = join(RUNTIME_DIRECTORY, `gatehouse-disk-${process.pid}`)
  await mkdir(place, { recursive: true, mode: 0o700 })
  const how = `${write ? 'rw,sync' : 'ro'},nosuid,nodev,noexec`
  const mounting = Bun.spawnSync(['mount', '-o', how, `${shelf.by}=${shelf.name}`, place])
  if (!mounting.success) {
    const said = mounting.stderr.toString().trim().split('\n')[0]
    throw new GatehouseError(
      'no_source',
      `The disk ${shelf.name} cannot be mounted (${said}): is it plugged in?`,
    )
  }
  try {
    return await work({ kind: 'folder', path: join(place, shelf.folder) })
  } finally {
    Bun.spawnSync(['umount', place])
    await rmdir(place).catch(() => undefined)
  }
}
