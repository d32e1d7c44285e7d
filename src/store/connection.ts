import { Database, type Statement } from 'bun:sqlite'
import { chmodSync, closeSync, openSync } from 'node:fs'
import { storeError } from './errors.ts'

/** What a statement can be given. */
export type Param = string | number | null

const CACHE_KIB = 4096
/** What a burst made the write-ahead log grow to is given back down to this. */
const LOG_BYTES = 16_777_216

/**
 * The one connection to the database: opening, statements prepared once, and the rule that rows change only
 * inside a write job.
 */
export class Connection {
  #db: Database | null = null
  readonly #statements = new Map<string, Statement>()
  /** True while a write job runs. */
  writable = false

  /** Opens or makes `file`, readable by its owner only. Throws a `GatehouseError` that names the file. */
  open(file: string): void {
    try {
      // SQLite gives its log files the mode of the main file, so the mode is set before SQLite sees it.
      closeSync(openSync(file, 'a', 0o600))
      chmodSync(file, 0o600)
      this.#db = new Database(file, { readwrite: true, create: true, strict: true })
      this.exec('PRAGMA busy_timeout = 2000')
      // The log is copied into the file by `Checkpoints`, which hears when that fails.
      this.exec('PRAGMA wal_autocheckpoint = 0')
      // The first statement that reads the file: it fails here if the file is no database.
      this.exec('PRAGMA schema_version')
    } catch (error) {
      this.close()
      throw storeError(error, file)
    }
  }

  /** Sets how the file is kept; outside of a transaction. */
  configure(): void {
    this.exec(`
      PRAGMA busy_timeout = 2000;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA foreign_keys = ON;
      PRAGMA trusted_schema = OFF;
      PRAGMA secure_delete = FAST;
      PRAGMA temp_store = MEMORY;
      PRAGMA cache_size = -${CACHE_KIB};
      PRAGMA journal_size_limit = ${LOG_BYTES};
    `)
  }

  close(): void {
    // An open statement would keep the file open behind the closed handle.
    for (const statement of this.#statements.values()) statement.finalize()
    this.#statements.clear()
    this.#db?.close()
    this.#db = null
  }

  get db(): Database {
    if (!this.#db) throw storeError(new Error('the store is not open'))
    return this.#db
  }

  get isOpen(): boolean {
    return this.#db !== null
  }

  /** Whether SQLite still holds the transaction: some errors end it by themselves. */
  get inTransaction(): boolean {
    return this.#db?.inTransaction ?? false
  }

  /** Runs one or several statements without parameters. */
  exec(sql: string): void {
    this.db.run(sql)
  }

  /** The prepared statement for `sql`, which is always a constant of this folder. */
  prepared(sql: string): Statement {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.db.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  /** Changes rows; throws outside of a write job. */
  change(sql: string, params: Param[]): { changes: number; id: number } {
    if (!this.writable) throw new Error('rows change only inside store.write()')
    const { changes, lastInsertRowid } = this.prepared(sql).run(...params)
    return { changes, id: Number(lastInsertRowid) }
  }

  get<Row>(sql: string, params: Param[] = []): Row | null {
    return this.prepared(sql).get(...params) as Row | null
  }

  all<Row>(sql: string, params: Param[] = []): Row[] {
    return this.prepared(sql).all(...params) as Row[]
  }
}
