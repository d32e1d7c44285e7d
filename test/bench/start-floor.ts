/** The least that such a program is: one route, one SQLite file. Compiled like ours. */
import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { Elysia } from 'elysia'

const [port = '0', folder = '.'] = process.argv.slice(2)
const database = new Database(join(folder, 'floor.sqlite'))
database.run('PRAGMA journal_mode = WAL')
database.run('CREATE TABLE IF NOT EXISTS runs (id INTEGER PRIMARY KEY, status TEXT)')
process.on('SIGTERM', () => process.exit(0))
new Elysia()
  .get('/health', () => database.query('SELECT count(*) AS runs FROM runs').get())
  .listen({ port: Number(port), hostname: '127.0.0.1' })
