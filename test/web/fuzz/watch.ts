/** Whether anything of a box has changed: its rows, and what lies in its data folder. */
import { Database } from 'bun:sqlite'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** What counts tries and notes when somebody was last seen; it changes by refusals, too. */
const COUNTERS = /^attempts$/
/** Rows that come by themselves: who is locked out, and until when the box was up. */
const OWN: Record<string, string> = { audit: "action <> 'login.locked'", meta: "key <> 'uptime'" }
const SEEN = /^(seen|used)_at$/

export class Watch {
  readonly #db: Database
  readonly #dir: string
  #version = -1
  #rows: Record<string, string> = {}

  constructor(dataDir: string) {
    this.#dir = dataDir
    this.#db = new Database(join(dataDir, 'gatehouse.db'), { readonly: true })
  }

  /** What is there now. */
  take(): void {
    this.#version = this.#now()
    this.#rows = this.#dump()
  }

  /** What has changed since, by table; empty: nothing. */
  changed(): string[] {
    const version = this.#now()
    const files = this.#files()
    if (version === this.#version && files === this.#rows.files) return []
    const before = this.#rows
    this.#version = version
    this.#rows = this.#dump()
    return Object.keys(this.#rows).flatMap(name =>
      this.#rows[name] === before[name]
        ? []
        : [`${name}: ${differ(before[name] ?? '', this.#rows[name] ?? '')}`],
    )
  }

  /** Waits until nothing changes by itself any more. */
  async quiet(): Promise<void> {
    for (let still = 0; still < 2; ) {
      const busy = this.#db.query<{ n: number }, []>(
        "SELECT count(*) AS n FROM workflow_runs WHERE status = 'running'",
      )
      still = this.changed().length || busy.get()?.n ? 0 : still + 1
      await Bun.sleep(10)
    }
  }

  close(): void {
    this.#db.close()
  }

  #now(): number {
    return this.#db.query<{ data_version: number }, []>('PRAGMA data_version').get()?.data_version ?? 0
  }

  #files(): string {
    const names = readdirSync(this.#dir, { recursive: true }) as string[]
    return names
      .filter(name => !/-(wal|shm|journal)$/.test(name))
      .sort()
      .join('\n')
  }

  #dump(): Record<string, string> {
    const tables = this.#db
      .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all()
    const rows = tables
      .filter(({ name }) => !COUNTERS.test(name))
      .map(({ name }) => [
        name,
        JSON.stringify(
          this.#db.query(`SELECT * FROM "${name}" WHERE ${OWN[name] ?? 'true'}`).all(),
          (key, value) => (SEEN.test(key) ? undefined : value),
        ),
      ])
    return { ...Object.fromEntries(rows), files: this.#files() }
  }
}

function differ(before: string, after: string): string {
  let at = 0
  while (at < before.length && before[at] === after[at]) at++
  return after.slice(Math.max(0, at - 60), at + 160)
}
