import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, iso, messageOf } from '../core/index.ts'

/** Starts in a row that may come to nothing before the box starts in safe mode. */
const MOST = 3
/** A start is well when the box has been up for so long. */
const WELL_MS = 30_000
/** In safe mode a start like any other is tried again after this, and the file is looked at this often. */
const AGAIN_MS = 30 * 60_000
const LOOK_MS = 2_000

interface Counted {
  /** Starts in a row that were not well, the present one included. */
  starts: number
  /** Of the machine's start: what a pulled plug ended says nothing of the box. */
  boot: string
  last: string
  /** What the last one said before it failed; null: it said nothing. */
  said: string | null
}

/** How many starts have failed, as far as is known. */
export interface StartsView {
  failed: number
  /** When the last one began. */
  last: string | null
  said: string | null
}

/**
 * Counts the starts of a data folder that came to nothing: a process that dies before the box was up for half a minute.
 * What the box refuses in words (a port in use, a fault in the site file) is no such start. Lives in a file beside the
 * database, which may be what fails.
 */
export class Starts {
  readonly #dir: string
  readonly #clock: Clock
  readonly #boot: string
  #cancels: (() => void)[] = []
  #before: Counted | null = null

  constructor(dir: string, clock: Clock, boot = bootId()) {
    this.#dir = dir
    this.#clock = clock
    this.#boot = boot
  }

  /** A start begins. Answers why it has to be a safe one, or null. */
  begin(): string | null {
    this.#stop()
    const before = read(this.#dir)
    this.#before = before
    const failed = before && before.boot === this.#boot ? before.starts : 0
    write(this.#dir, { starts: failed + 1, boot: this.#boot, last: iso(this.#clock.now()), said: null })
    if (failed < MOST) return null
    const last = before?.said ? ` The last one said: ${before.said}` : ''
    return `${failed} starts in a row came to nothing.${last}`
  }

  /** The box is up: in half a minute the start was well. `safe`: that of safe mode proves nothing. */
  up(safe: boolean): void {
    if (!safe) this.#cancels.push(this.#clock.after(WELL_MS, () => clearStarts(this.#dir)))
  }

  /** Resolves when safe mode may be left: somebody cleared the count, or it is time for another try. */
  mayLeave(): Promise<'cleared' | 'another try'> {
    return new Promise(resolve => {
      const again = this.#clock.after(AGAIN_MS, () => {
        // One more that fails leads straight back.
        write(this.#dir, { starts: MOST - 1, boot: this.#boot, last: iso(this.#clock.now()), said: null })
        resolve('another try')
      })
      const look = () => {
        if (!existsSync(fileOf(this.#dir))) resolve('cleared')
        else this.#cancels.push(this.#clock.after(LOOK_MS, look))
      }
      this.#cancels.push(again)
      look()
    })
  }

  /** It ended as it was told to. `safe`: then the count stands, and the next start is a safe one too. */
  ended(safe: boolean): void {
    this.#stop()
    if (!safe) clearStarts(this.#dir)
    else if (this.#before && existsSync(fileOf(this.#dir))) write(this.#dir, this.#before)
  }

  /** It failed: `refused` where the box said so itself and will again, so that safe mode would be no help. */
  failed(error: unknown, refused: boolean): void {
    this.#stop()
    const now = read(this.#dir)
    if (!now) return
    if (!refused) write(this.#dir, { ...now, said: messageOf(error).slice(0, 300) })
    else if (this.#before) write(this.#dir, this.#before)
    else clearStarts(this.#dir)
  }

  #stop(): void {
    for (const cancel of this.#cancels.splice(0)) cancel()
  }
}

/** The next start is one like any other; a box in safe mode leaves it at once. */
export function clearStarts(dir: string): void {
  rmSync(fileOf(dir), { force: true })
}

export function startsIn(dir: string): StartsView {
  const counted = read(dir)
  return { failed: counted?.starts ?? 0, last: counted?.last ?? null, said: counted?.said ?? null }
}

const fileOf = (dir: string) => join(dir, 'starts.json')

function read(dir: string): Counted | null {
  try {
    const { starts, boot, last, said } = JSON.parse(readFileSync(fileOf(dir), 'utf8')) as Counted
    return Number.isInteger(starts)
      ? { starts, boot: String(boot), last: String(last), said: said && String(said) }
      : null
  } catch {
    return null
  }
}

/** A disk that takes nothing must not keep the box from starting. */
function write(dir: string, counted: Counted): void {
  try {
    const unfinished = `${fileOf(dir)}.unfinished`
    writeFileSync(unfinished, JSON.stringify(counted), { mode: 0o600 })
    renameSync(unfinished, fileOf(dir))
  } catch {
    // Then the starts are not counted.
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}
