import { lchown, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** What root made in the folder of a service belongs to that service: it could not open it otherwise. */
export async function giveToOwner(folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  // For systemd's own users the folder is a link.
  const { uid, gid } = await stat(folder)
  if (uid !== 0) await give(folder, uid, gid)
}

async function give(folder: string, uid: number, gid: number): Promise<void> {
  for (const each of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, each.name)
    // The box that owns it may clear it away meanwhile.
    await lchown(path, uid, gid).catch(() => undefined)
    if (each.isDirectory()) await give(path, uid, gid)
  }
}
