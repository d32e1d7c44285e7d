import { statfs } from 'node:fs/promises'

/** The disk of a folder: its bytes, and those that this program may still write. */
export async function disk(folder: string): Promise<{ total: number; free: number }> {
  const { blocks, bavail, bsize } = await statfs(folder)
  return { total: blocks * bsize, free: bavail * bsize }
}
