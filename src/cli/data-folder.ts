import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** Where the data lies: as told, else where systemd says, else the user's state folder. Absolute. */
export function dataFolder(told: string | undefined): string {
  const { STATE_DIRECTORY, XDG_STATE_HOME } = process.env
  return resolve(
    told || STATE_DIRECTORY || join(XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'gatehouse'),
  )
}
