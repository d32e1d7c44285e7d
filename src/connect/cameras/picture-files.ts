import { constants, type Stats } from 'node:fs'
import { lstat, open, opendir, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { maxPictureBytes, type PictureType, pictureType } from '../../vision/index.ts'

const NAME = /^[^.].*\.(jpe?g|png|webp)$/i
/** More entries of a folder are not looked at. */
const MOST_ENTRIES = 20_000

/** Whether a folder lies inside another one, wherever links lead; false where it is not there. */
export async function isWithin(root: string, folder: string): Promise<boolean> {
  try {
    return (await realpath(folder)).startsWith(`${await realpath(root)}${sep}`)
  } catch {
    return false
  }
}

/** The files of a folder that are called like pictures, plain files only; none if it cannot be read. */
export async function pictureFiles(folder: string): Promise<{ name: string; stats: Stats }[]> {
  const files: { name: string; stats: Stats }[] = []
  let entries = 0
  try {
    for await (const { name } of await opendir(folder)) {
      if (++entries > MOST_ENTRIES) break
      if (!NAME.test(name)) continue
      const stats = await lstat(join(folder, name)).catch(() => null)
      if (stats?.isFile()) files.push({ name, stats })
    }
  } catch {
    // The folder is away, or went away: what was found counts.
  }
  return files
}

/**
 * The bytes of a picture file if it still is as `stats` says; `ended`: its last bytes are a picture's end. Null
 * for what is empty, too large, no picture by its first bytes, or changed meanwhile.
 */
export async function readWhole(
  folder: string,
  name: string,
  stats: Stats,
): Promise<{ bytes: Uint8Array; ended: boolean } | null> {
  if (stats.size === 0 || stats.size > maxPictureBytes) return null
  // Neither a link out of the folder nor a pipe that never ends, should the file have been exchanged.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const handle = await open(join(folder, name), flags).catch(() => null)
  if (!handle) return null
  try {
    const bytes = new Uint8Array(stats.size)
    const { bytesRead } = await handle.read(bytes, 0, stats.size, 0)
    const now = await handle.stat()
    const unchanged = now.isFile() && now.size === stats.size && now.mtimeMs === stats.mtimeMs
    const type = pictureType(bytes)
    return unchanged && bytesRead === stats.size && type ? { bytes, ended: hasEnd(bytes, type) } : null
  } catch {
    return null
  } finally {
    await handle.close()
  }
}

const PNG_END = [0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]

/** Whether the last bytes are those that a picture of this type ends with. */
function hasEnd(bytes: Uint8Array, type: PictureType): boolean {
  if (type === 'jpeg') return bytes.at(-2) === 0xff && bytes.at(-1) === 0xd9
  if (type === 'png') return PNG_END.every((byte, i) => bytes.at(i - PNG_END.length) === byte)
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  // RIFF states the length of what follows its first eight bytes.
  return bytes.byteLength >= view.getUint32(4, true) + 8
}
