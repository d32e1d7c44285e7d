/** `bun bare-commits.ts FOLDER`: one synced commit every 20 ms until it is told to stop; prints how long they took. */
import { Database } from 'bun:sqlite'
import { join } from 'node:path'

const db = new Database(join(process.argv[2] ?? '.', 'bare.db'))
db.run('PRAGMA journal_mode = WAL')
db.run('PRAGMA synchronous = FULL')
db.run('CREATE TABLE rows (at INTEGER, text TEXT)')
const insert = db.prepare('INSERT INTO rows VALUES (?, ?)')
const times: number[] = []
process.on('SIGTERM', () => {
  console.log(JSON.stringify(times))
  process.exit(0)
})
for (;;) {
  const at = performance.now()
  insert.run(Date.now(), 'x'.repeat(200))
  times.push(performance.now() - at)
  await Bun.sleep(20)
}
