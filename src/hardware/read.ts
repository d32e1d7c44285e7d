import { accessSync, constants, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { basename, join } from 'node:path'

/** Reads of one root folder: the machine's own, or one that a test made. What is not there is null or empty. */
export class Root {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /** True where this is the running machine. */
  get real(): boolean {
    return this.path === '/'
  }

  /** A small text file, trimmed, without the zero byte that device trees end with. */
  text(path: string): string | null {
    try {
      return readFileSync(join(this.path, path), 'utf8').replaceAll('\0', '').trim() || null
    } catch {
      return null
    }
  }

  bytes(path: string): Uint8Array | null {
    try {
      return readFileSync(join(this.path, path))
    } catch {
      return null
    }
  }

  list(path: string): string[] {
    try {
      return readdirSync(join(this.path, path)).sort()
    } catch {
      return []
    }
  }

  /** Where links lead, without the root; null where they lead nowhere. */
  resolve(path: string): string | null {
    try {
      const root = realpathSync(this.path)
      const target = realpathSync(join(this.path, path))
      return target.startsWith(root) ? target.slice(root === '/' ? 0 : root.length) : null
    } catch {
      return null
    }
  }

  /** The last part of where a link leads: the name of a driver. */
  target(path: string): string | null {
    const real = this.resolve(path)
    return real === null ? null : basename(real)
  }

  exists(path: string): boolean {
    return this.#access(path, constants.F_OK)
  }

  /** May this process open it for reading and writing? */
  opens(path: string): boolean {
    return this.#access(path, constants.R_OK | constants.W_OK)
  }

  #access(path: string, mode: number): boolean {
    try {
      accessSync(join(this.path, path), mode)
      return true
    } catch {
      return false
    }
  }
}
