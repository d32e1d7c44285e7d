import { open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The site file as it was last taken over: what a box starts with whose file has been broken since. */
function copyOf(file: string): string {
  return join(dirname(file), 'site-in-force.yaml')
}

/** Keeps a site file that is in force: whole and synced, or as it was before. */
export async function keepCopy(file: string, text: string): Promise<void> {
  const copy = copyOf(file)
  // A box without a file has nothing that a broken one could fall back to.
  if (text.trim() === '') return
  if ((await readCopy(file)) === text) return
  const handle = await open(`${copy}.new`, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(`${copy}.new`, copy)
}

/** The text that was kept, or null. */
export async function readCopy(file: string): Promise<string | null> {
  return readFile(copyOf(file), 'utf8').catch(() => null)
}
