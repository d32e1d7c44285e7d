import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Where an update stands, so that whoever comes after a power cut knows. */
export interface Underway {
  id: string
  /** Names of the releases: `0.2.0-linux-x64`. */
  from: string
  to: string
  /**
   * `switching`: the engine is stopped, its database copied, the new release put in its place. `watching`: it runs, and
   * has to show that it is well. `back`: the former one is put in its place again, with its database.
   */
  phase: 'switching' | 'watching' | 'back'
  /** How often it was begun: a box that loses its power again and again by it goes back. */
  tries: number
  /** The database as it was is kept; null: not yet. */
  kept: Kept | null
  /** How long the new one is watched. */
  wellMs: number
  /** The box took work before. */
  wasReady: boolean
  /** Why it goes back. */
  why: string | null
  /** A person asked for the former release. */
  asked: boolean
}

/** The database before an update; `seen`: what tells whether it was written since. */
export interface Kept {
  at: number
  seen: string
}

export interface Last {
  id: string
  outcome: 'done' | 'rolled_back' | 'refused' | 'failed'
  from: string
  to: string | null
  /** ISO 8601. */
  at: string
  why: string | null
}

export interface Available {
  version: string
  /** One line for people. */
  notes: string | null
}

/** What everybody on the box may read about updates. */
export interface Status {
  checked_at: string | null
  available: Available | null
  /** Why the last look for a newer release came to nothing. */
  problem: string | null
  underway: { to: string; step: 'fetching' | Underway['phase']; percent: number } | null
  last: Last | null
}

/** The engine's word to the updater, in its data folder. */
export const REQUEST = 'update-request'
export interface Asked {
  do: 'check' | 'install'
}

/** Where the database from before the last update lies, in the data folder. */
export const KEPT_BEFORE = 'update'

const NOTHING: Status = { checked_at: null, available: null, problem: null, underway: null, last: null }
/** Longer is none of ours. */
const MOST_BYTES = 64 * 1024

/** Where the updater, which is root, keeps what it does; everybody may read what it tells. */
export const STATE_DIR = '/var/lib/gatehouse-update'

/** The two files of `/var/lib/gatehouse-update`: what is told, and what must be ended. */
export class UpdateState {
  readonly dir: string

  constructor(dir: string) {
    this.dir = dir
  }

  get status(): Status {
    return { ...NOTHING, ...(read(join(this.dir, 'status.json')) as Partial<Status> | null) }
  }

  tell(change: Partial<Status>): void {
    write(join(this.dir, 'status.json'), { ...this.status, ...change }, 0o644)
  }

  get underway(): Underway | null {
    return read(join(this.dir, 'underway.json')) as Underway | null
  }

  /** On the disk before this answers. */
  keep(underway: Underway): void {
    write(join(this.dir, 'underway.json'), underway, 0o600)
  }

  /** It is over, one way or the other. */
  end(last: Last): void {
    this.tell({ last, underway: null })
    rmSync(join(this.dir, 'underway.json'), { force: true })
    sync(this.dir)
  }
}

function read(file: string): unknown {
  try {
    const bytes = readFileSync(file)
    return bytes.length > MOST_BYTES ? null : JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
}

function write(file: string, value: unknown, mode: number): void {
  const unfinished = `${file}.unfinished`
  rmSync(unfinished, { force: true })
  writeFileSync(unfinished, JSON.stringify(value), { mode, flag: 'wx' })
  sync(unfinished)
  renameSync(unfinished, file)
  sync(dirname(file))
}

function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
