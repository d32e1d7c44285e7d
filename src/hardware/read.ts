import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
} from 'node:fs'
import { basename, join } from 'node:path'

const pieceBytes = 256 * 1024

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

  /**
   * The text in a binary file from `mark` on, `length` bytes of it; the last place counts. Read from the end in
   * pieces: a library of 2 MB takes ten milliseconds to read whole, and its texts lie near its end.
   */
  textInside(path: string, mark: string, length: number): string | null {
    let file: number | null = null
    try {
      file = openSync(join(this.path, path), 'r')
      const piece = Buffer.alloc(pieceBytes + mark.length + length)
      for (let end = fstatSync(file).size; end > 0; end -= pieceBytes) {
        const read = readSync(file, piece, 0, piece.length, Math.max(0, end - pieceBytes))
        const at = piece.subarray(0, read).lastIndexOf(mark)
        if (at >= 0) return piece.toString('latin1', at, Math.min(read, at + length))
      }
      return null
    } catch {
      return null
    } finally {
      if (file !== null) closeSync(file)
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
