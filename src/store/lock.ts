import { Database } from 'bun:sqlite'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GatehouseError } from '../core/index.ts'
import { sqliteCode, storeError } from './errors.ts'

/**
 * One process per data folder. What counts is an operating-system lock, taken through SQLite on an empty file:
 * it ends with the process however that ends, children do not inherit it, and a second store in the same
 * process meets it too. Who holds it stands beside it, for people only.
 */
export class FolderLock {
  readonly #dir: string
  #db: Database | null = null

  constructor(dir: string) {
    this.#dir = dir
  }

  /** Throws `store_locked`, naming the holder, if another store has the folder. `now`: epoch ms. */
  take(now: number): void {
    const file = join(this.#dir, 'gatehouse.lock')
    let db: Database | null = null
    try {
      db = new Database(file, { readwrite: true, create: true })
      db.run('BEGIN EXCLUSIVE')
      this.#db = db
    } catch (error) {
      db?.close()
      if (/^SQLITE_(BUSY|LOCKED)/.test(sqliteCode(error))) throw this.#heldByAnother()
      throw storeError(error, file)
    }
    try {
      writeFileSync(
        this.#holderFile,
        JSON.stringify({ pid: process.pid, since: new Date(now).toISOString() }),
      )
    } catch {
      // A full disk: the lock holds all the same, and reading what is stored must stay possible.
    }
  }

  release(): void {
    if (!this.#db) return
    rmSync(this.#holderFile, { force: true })
    this.#db.close()
    this.#db = null
  }

  get #holderFile(): string {
    return join(this.#dir, 'gatehouse.holder')
  }

  #heldByAnother(): GatehouseError {
    let who = 'another Gatehouse'
    try {
      const { pid, since } = JSON.parse(readFileSync(this.#holderFile, 'utf8')) as {
        pid: unknown
        since: unknown
      }
      if (Number.isInteger(pid) && typeof since === 'string')
        who = `process ${pid} since ${since.slice(0, 30)}`
    } catch {
      // The holder has just begun or is just ending: who it is does not matter to the refusal.
    }
    return new GatehouseError(
      'store_locked',
      `${this.#dir} is in use by ${who}: stop that one, or choose another folder with --data.`,
      { status: 409 },
    )
  }
}
