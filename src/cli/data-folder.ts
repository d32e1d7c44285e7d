import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** Where the data lies: as told, else where systemd says, else the user's state folder. Absolute. */
export function dataFolder(told: string | undefined): string {
  const { STATE_DIRECTORY, XDG_STATE_HOME } = process.env
  // Where a service has several folders, they are a list; its own is the first.
  const [ofService] = (STATE_DIRECTORY ?? '').split(':')
  return resolve(told || ofService || join(XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'gatehouse'))
}
