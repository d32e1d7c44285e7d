import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { GatehouseError } from '../../src/core/index.ts'
import { Connection } from '../../src/store/connection.ts'
import { GroupCommit } from '../../src/store/group-commit.ts'
import { MediaFiles } from '../../src/store/index.ts'
import { addWorkflow, newRun, openStore, rejection, smallDisk, temporaryFolder } from './helpers.ts'

describe('a full disk', () => {
  test('every job of the batch is answered, nothing of it is stored, and writing goes on', async () => {
    const fatal: GatehouseError[] = []
    const connection = new Connection()
    connection.open(join(temporaryFolder(), 'small.db'))
    connection.configure()
    onTestFinished(() => connection.close())
    connection.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT); PRAGMA max_page_count = 20')
    const commits = new GroupCommit(connection, error => fatal.push(error))
    commits.open()
    const add = (text: string) => connection.change('INSERT INTO t (text) VALUES (?)', [text])
    const jobs = ['a', 'x'.repeat(200_000), 'b'].map((text, i) => commits.write(() => add(text), i === 1))
    for (const job of jobs) expect(await rejection(job)).toMatchObject({ code: 'disk_full', status: 507 })
    expect(connection.get('SELECT count(*) AS n FROM t')).toEqual({ n: 0 })
    await commits.write(() => add('small'), false)
    expect(connection.get('SELECT count(*) AS n FROM t')).toEqual({ n: 1 })
    expect(fatal).toEqual([])
  })

  test('a real one: refused while it lasts, written again when there is room', async context => {
    const disk = smallDisk()
    if (!disk) return context.skip()
    const store = openStore(disk, {
      onFatal: error => {
        throw error
      },
    })
    const files = new MediaFiles(disk)
    await files.start()
    const workflow = await addWorkflow(store)
    const filler = join(disk, 'filler')
    writeFileSync(filler, '')
    let stored = 0
    let error: unknown
    for (let i = 0; i < 100 && error === undefined; i++) {
      const job = () => store.runs.insert(newRun(workflow, { event: { text: 'x'.repeat(60_000) } }))
      await store.write(job).then(
        () => stored++,
        reason => {
          error = reason
        },
      )
    }
    expect(error).toMatchObject({ code: 'disk_full' })
    expect(stored).toBeGreaterThan(3)
    expect(store.runs.list({ limit: 1000 })).toHaveLength(stored)
    expect(await rejection(files.put(new Uint8Array(3_000_000)))).toMatchObject({ code: 'disk_full' })
    expect(Bun.spawnSync(['mount', '-o', 'remount,size=8m', disk]).success).toBe(true)
    await store.write(() => store.meta.set('room', 'yes'))
    const { hash } = await files.put(new Uint8Array(1_000_000))
    expect((await files.read(hash))?.byteLength).toBe(1_000_000)
  })
})
