import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Of a file or a folder: a rename is on the disk once its folder is. */
export function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
