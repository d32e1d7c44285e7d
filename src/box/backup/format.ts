import { iso } from '../../core/index.ts'

/** What a backup is: a tar archive, in an envelope of age where it is encrypted. */
export const SCHEMA = 'gatehouse.backup.v1'

/** The first and the last member: who made it, and that nothing behind was cut off. */
export const HEAD = 'gatehouse-backup.json'
export const END = 'end.json'
export const DATABASE = 'gatehouse.db'

/** Where one that is restored is unpacked, in the data folder. */
export const STAGED = 'restoring'

export interface Head {
  schema: typeof SCHEMA
  /** Of the program that made it. */
  version: string
  box: string
  /** When, ISO 8601. */
  at: string
  /** Whether the secrets and keys of the box are in it: in an encrypted one only. */
  secrets: boolean
}

export interface End {
  members: number
  /** Pictures and clips, and those whose files were gone. */
  media: number
  missing: number
}

/** Of the files beside the database: what people wrote, and what was found out at length. */
export const isPlain = (name: string): boolean =>
  /^[a-z0-9][\w-]{0,100}\.(ya?ml|csv)$|^evaluations\.json$/i.test(name)
export const isPrivate = (name: string): boolean => /^(secrets|tls)\/[A-Za-z0-9][\w.-]{0,100}$/.test(name)
export const isMedia = (name: string): boolean => /^media\/[0-9a-f]{64}$/.test(name)

/** Of what is not streamed. */
export const MOST_BYTES = 16 * 1024 * 1024

/** What a backup of that moment is called. */
export function backupName(box: string, at: number, sealed: boolean): string {
  return `gatehouse-${box}-${iso(at).replaceAll(/[-:]|\.\d+/g, '')}${sealed ? '.tar.age' : '.tar'}`
}
