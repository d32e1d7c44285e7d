import { Database } from 'bun:sqlite'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ManualClock } from '../../src/core/index.ts'
import { Connection } from '../../src/store/connection.ts'
import { Store } from '../../src/store/index.ts'
import { MIGRATIONS, migrate } from '../../src/store/migrations.ts'
import { SCHEMA_QUESTIONS } from '../../src/store/schema-questions.ts'
import { addWorkflow, newRun, openStore, temporaryFolder, thrown } from './helpers.ts'

const startIn = (dir: string) => thrown(() => new Store({ dir, clock: new ManualClock() }).start())

/** What `sqlite3 FILE "SQL"` would print, one row. */
function ask(file: string, sql: string): unknown {
  const db = new Database(file, { readonly: true })
  try {
    return db.query(sql).get()
  } finally {
    db.close()
  }
}

function connect(file: string): Connection {
  const connection = new Connection()
  connection.open(file)
  onTestFinished(() => connection.close())
  return connection
}

describe('opening', () => {
  test('a new folder is made for its owner only, and closes without leaving logs or locks', () => {
    const dir = join(temporaryFolder(), 'a', 'b')
    const store = openStore(dir)
    expect(statSync(dir).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(dir).filter(name => name.startsWith('gatehouse.db'))) {
      expect([name, statSync(join(dir, name)).mode & 0o777]).toEqual([name, 0o600])
    }
    store.stop()
    expect(readdirSync(dir).sort()).toEqual(['gatehouse.db', 'gatehouse.lock'])
  })

  test('it keeps rows with a write-ahead log and a sync per commit', () => {
    const dir = temporaryFolder()
    openStore(dir)
    expect(ask(join(dir, 'gatehouse.db'), 'PRAGMA journal_mode')).toEqual({ journal_mode: 'wal' })
    const connection = connect(join(temporaryFolder(), 'x.db'))
    connection.configure()
    expect(connection.get('PRAGMA synchronous')).toEqual({ synchronous: 2 })
    expect(connection.get('PRAGMA foreign_keys')).toEqual({ foreign_keys: 1 })
  })

  test('the id of the box is minted once', () => {
    const dir = temporaryFolder()
    const store = openStore(dir)
    const id = store.meta.boxId
    expect(id).toMatch(/^box_[0-9a-f]{12}$/)
    store.stop()
    expect(openStore(dir).meta.boxId).toBe(id)
  })

  test('a file of a newer Gatehouse is refused and left as it is', () => {
    const dir = temporaryFolder()
    openStore(dir).stop()
    const file = join(dir, 'gatehouse.db')
    const db = new Database(file)
    db.run('PRAGMA user_version = 99')
    db.close()
    const before = readFileSync(file)
    const error = startIn(dir)
    expect(error).toMatchObject({ code: 'store_newer' })
    expect(String(error)).toMatch(/written by a newer Gatehouse \(version 99, this one knows \d+\): install/)
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(startIn(dir)).toMatchObject({ code: 'store_newer' })
  })

  test('text, a torn header, a database of another program: one line that says what to do', () => {
    const dir = temporaryFolder()
    const file = join(dir, 'gatehouse.db')
    writeFileSync(file, 'not a database, but long enough to be looked at\n'.repeat(40))
    expect(startIn(dir)).toMatchObject({
      code: 'store_corrupt',
      message: expect.stringMatching(/restore a backup/),
    })
    writeFileSync(file, '')
    const db = new Database(file)
    db.run('CREATE TABLE theirs (a)')
    db.close()
    const error = startIn(dir)
    expect(error).toMatchObject({ code: 'store_corrupt', message: expect.stringMatching(/another program/) })
    expect(String(error)).not.toContain('\n')
    expect(ask(file, 'SELECT count(*) AS n FROM theirs')).toEqual({ n: 0 })
  })

  test('a torn schema is found at the start', () => {
    const dir = temporaryFolder()
    openStore(dir).stop()
    const file = join(dir, 'gatehouse.db')
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill(0xa5, 100, 4096))
    expect(startIn(dir)).toMatchObject({ code: 'store_corrupt' })
  })

  test('a folder that is a file, a database that is a folder', () => {
    const dir = temporaryFolder()
    writeFileSync(join(dir, 'file'), '')
    expect(startIn(join(dir, 'file'))).toMatchObject({ code: expect.stringMatching(/^store_/) })
    mkdirSync(join(dir, 'gatehouse.db'))
    expect(startIn(dir)).toMatchObject({ code: 'store_unwritable' })
  })
})

describe('migrations', () => {
  const next = [
    ...MIGRATIONS,
    'ALTER TABLE meta ADD COLUMN note TEXT; CREATE TABLE later (id INTEGER PRIMARY KEY)',
  ]

  test('a copy is made first, whole, under its version', async () => {
    const dir = temporaryFolder()
    const store = openStore(dir)
    const workflow = await addWorkflow(store)
    await store.write(() => store.runs.insert(newRun(workflow)))
    store.stop()
    const file = join(dir, 'gatehouse.db')
    const connection = connect(file)
    const copy = migrate(connection, file, next)
    expect(copy).toBe(`${file}.v${MIGRATIONS.length}`)
    expect(ask(file, 'PRAGMA user_version')).toEqual({ user_version: next.length })
    expect(ask(file, 'SELECT count(*) AS n FROM later')).toEqual({ n: 0 })
    expect(ask(copy ?? '', 'PRAGMA user_version')).toEqual({ user_version: MIGRATIONS.length })
    expect(ask(copy ?? '', 'PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' })
    expect(ask(copy ?? '', 'SELECT count(*) AS n FROM workflow_runs')).toEqual({ n: 1 })
    expect(statSync(copy ?? '').mode & 0o777).toBe(0o600)
    expect(migrate(connection, file, next)).toBeNull()
  })

  test('questions survive that a step may ask more than once, and no number is given twice', () => {
    const file = join(temporaryFolder(), 'gatehouse.db')
    const connection = connect(file)
    const at = MIGRATIONS.indexOf(SCHEMA_QUESTIONS)
    migrate(connection, file, MIGRATIONS.slice(0, at))
    connection.exec('PRAGMA foreign_keys = OFF')
    const ask = (id: number) =>
      `INSERT INTO workflow_approvals (id, run_id, step_id, message, replies, identity, status, answer, asked_at, deadline)
       VALUES (${id}, 1, ${65_536 + id}, 'Who?', '[]', '', 'answered', 'Yes', 1, 2)`
    for (const id of [3, 7]) connection.exec(ask(id))
    connection.exec('DELETE FROM workflow_approvals WHERE id = 7')
    migrate(connection, file)
    connection.close()
    const db = new Database(file)
    onTestFinished(() => db.close())
    expect(db.query('SELECT id, step_id, message, answer FROM workflow_approvals').all()).toEqual([
      { id: 3, step_id: 65_539, message: 'Who?', answer: 'Yes' },
    ])
    const again =
      'INSERT INTO workflow_approvals (run_id, step_id, message, replies, identity, status, asked_at, deadline)'
    for (let n = 0; n < 2; n++) db.run(`${again} VALUES (1, 65539, 'And?', '[]', '', 'open', 3, 4)`)
    expect(db.query('SELECT id FROM workflow_approvals ORDER BY id').values()).toEqual([[3], [8], [9]])
  })

  test('the copy can be started in place of the file', async () => {
    const dir = temporaryFolder()
    const store = openStore(dir)
    await addWorkflow(store, 'kept')
    store.stop()
    const file = join(dir, 'gatehouse.db')
    const copy = migrate(connect(file), file, next)
    const other = temporaryFolder()
    writeFileSync(join(other, 'gatehouse.db'), readFileSync(copy ?? ''))
    expect(openStore(other).workflows.list()).toMatchObject([{ slug: 'kept' }])
  })

  test('a step that fails leaves the file at the version before it, the steps before it done', () => {
    const dir = temporaryFolder()
    openStore(dir).stop()
    const file = join(dir, 'gatehouse.db')
    const connection = connect(file)
    const broken = [...next, 'CREATE TABLE half (id INTEGER PRIMARY KEY); INSERT INTO nowhere VALUES (1)']
    expect(() => migrate(connection, file, broken)).toThrow()
    connection.close()
    expect(ask(file, 'PRAGMA user_version')).toEqual({ user_version: next.length })
    expect(ask(file, "SELECT count(*) AS n FROM sqlite_schema WHERE name = 'half'")).toEqual({ n: 0 })
  })

  test('a new file needs no copy', () => {
    const dir = temporaryFolder()
    const file = join(dir, 'new.db')
    expect(migrate(connect(file), file, next)).toBeNull()
    expect(existsSync(`${file}.v0`)).toBe(false)
  })

  test('a file from when none could shrink is written anew with its next step, and keeps its ids', async () => {
    const dir = temporaryFolder()
    const file = join(dir, 'gatehouse.db')
    const db = new Database(file)
    db.run('PRAGMA journal_mode = WAL')
    for (const step of MIGRATIONS) db.run(step)
    db.run(`PRAGMA application_id = ${0x47415445}`)
    db.run(`PRAGMA user_version = ${MIGRATIONS.length}`)
    db.close()
    const store = openStore(dir)
    const workflow = await addWorkflow(store)
    await store.write(() => {
      for (let i = 0; i < 10; i++) store.runs.insert(newRun(workflow))
      store.retention.remove([3, 4, 5])
    })
    const ids = () => store.runs.list({ limit: 20 }).map(({ id }) => id)
    const before = ids()
    store.stop()
    expect(ask(file, 'PRAGMA auto_vacuum')).toEqual({ auto_vacuum: 0 })
    const connection = connect(file)
    migrate(connection, file, next)
    connection.close()
    expect(ask(file, 'PRAGMA auto_vacuum')).toEqual({ auto_vacuum: 2 })
    expect(ask(file, 'PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' })
    expect(
      ask(file, 'SELECT group_concat(id) AS ids FROM (SELECT id FROM workflow_runs ORDER BY id DESC)'),
    ).toEqual({
      ids: before.join(','),
    })
  })

  test('a new file can shrink from its beginning', () => {
    const dir = temporaryFolder()
    openStore(dir).stop()
    expect(ask(join(dir, 'gatehouse.db'), 'PRAGMA auto_vacuum')).toEqual({ auto_vacuum: 2 })
  })
})
