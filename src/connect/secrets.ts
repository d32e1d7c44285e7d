import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { GatehouseError } from '../core/index.ts'
import { storeError } from '../store/index.ts'

const NAME = /^[a-z][a-z0-9_-]*$/

/** Where the values behind secrets' names come from. */
export interface Secrets {
  /** Null where there is no such secret. */
  get(name: string): string | null
}

/**
 * Secrets as files of their own, so that site files can be shown and copied: `secrets/<name>` in the data folder,
 * or what systemd hands over by `LoadCredential=` (it comes first): one by its name, or a whole folder as `secrets`,
 * whose files it calls `secrets_<name>`. Read when needed: a changed one counts at once.
 */
export class FileSecrets implements Secrets {
  /** What a name is put behind. */
  readonly #places: string[]
  readonly #dir: string

  constructor(dir: string, credentials = process.env.CREDENTIALS_DIRECTORY) {
    this.#dir = dir
    const handedOver = credentials ? [join(credentials, '/'), join(credentials, 'secrets_')] : []
    this.#places = [...handedOver, join(dir, 'secrets/')]
  }

  /** Keeps a value under a name that nothing bears yet, for nobody's eyes but this service's. Throws `disk_full` and the like. */
  set(name: string, value: string): void {
    if (!NAME.test(name)) throw new Error(`${name} is no name of a secret`)
    const file = join(this.#dir, 'secrets', name)
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      writeFileSync(file, value, { mode: 0o600, flag: 'wx', flush: true })
    } catch (error) {
      if ((error as { code?: string }).code !== 'EEXIST') rmSync(file, { force: true })
      throw storeError(error, dirname(file))
    }
  }

  /** Those in the data folder that begin so, each with when it was written (epoch ms). */
  kept(prefix: string): { name: string; at: number }[] {
    const folder = join(this.#dir, 'secrets')
    try {
      return readdirSync(folder)
        .filter(name => name.startsWith(prefix))
        .map(name => ({ name, at: statSync(join(folder, name)).mtimeMs }))
    } catch {
      return []
    }
  }

  /** Takes one away that `set` wrote. */
  drop(name: string): void {
    if (NAME.test(name)) rmSync(join(this.#dir, 'secrets', name), { force: true })
  }

  get(name: string): string | null {
    if (!NAME.test(name)) return null
    for (const place of this.#places) {
      try {
        return readFileSync(place + name, 'utf8').replace(/\r?\n$/, '')
      } catch {
        // Not in this place.
      }
    }
    return null
  }
}

/** The value of a secret that `owner` (for people, in errors) names. Throws `bad_request` where there is none. */
export function secretFor(owner: string, name: string, secrets: Secrets): string {
  const value = secrets.get(name)
  if (value !== null) return value
  throw new GatehouseError(
    'bad_request',
    `${owner} needs the secret ${name}: write it into the file secrets/${name} of the data folder.`,
  )
}
