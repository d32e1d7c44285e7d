import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GatehouseError } from '../core/index.ts'

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

  constructor(dir: string, credentials = process.env.CREDENTIALS_DIRECTORY) {
    const handedOver = credentials ? [join(credentials, '/'), join(credentials, 'secrets_')] : []
    this.#places = [...handedOver, join(dir, 'secrets/')]
  }

  get(name: string): string | null {
    if (!/^[a-z][a-z0-9_-]*$/.test(name)) return null
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
