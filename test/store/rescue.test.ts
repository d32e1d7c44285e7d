import { Database } from 'bun:sqlite'
import { existsSync, readdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../src/core/index.ts'
import { Connection } from '../../src/store/connection.ts'
import { copiesIn, makeCopy, Store } from '../../src/store/index.ts'
import { demandWhole } from '../../src/store/rescue/check.ts'
import { addWorkflow, newRun, openStore, rejection, temporaryFolder, thrown } from './helpers.ts'

const NOW = Date.UTC(2026, 10, 30, 3)

/** A box with a workflow and a run, a copy of that, and a second run since. */
async function box() {
  const dir = temporaryFolder()
  const store = openStore(dir, { mends: true })
  const workflow = await addWorkflow(store)
  await store.write(() => {
    store.runs.insert(newRun(workflow))
    for (let n = 0; n < 500; n++)
      store.meta.set(`filler-${n}`, 'so that there are pages to damage '.repeat(20))
  })
  const copy = await makeCopy(dir, NOW, 3)
  await store.write(() => store.runs.insert(newRun(workflow)))
  store.stop()
  return { dir, file: join(dir, 'gatehouse.db'), copy }
}

/** Overwrites the middle of the file, where rows are. */
function damage(file: string): void {
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(0xa5, bytes.length / 2, bytes.length / 2 + 16_384))
}

describe('copies', () => {
  test('are made beside a box that writes, are whole, and only the newest stay', async () => {
    const dir = temporaryFolder()
    const store = openStore(dir)
    const workflow = await addWorkflow(store)
    for (let day = 0; day < 5; day++) {
      const writing = store.write(() => store.runs.insert(newRun(workflow)))
      await makeCopy(dir, NOW + day * 86_400_000, 3)
      await writing
    }
    expect(copiesIn(dir).map(({ at }) => new Date(at).getUTCDate())).toEqual([4, 3, 2])
    const db = new Database(copiesIn(dir)[0]?.path ?? '', { readonly: true })
    const { n } = db.query('SELECT count(*) AS n FROM workflow_runs').get() as { n: number }
    expect(n).toBeGreaterThanOrEqual(4)
    db.close()
  })

  test('one of a damaged file is refused, and the next start is told', async () => {
    const { dir, file } = await box()
    damage(file)
    expect(await rejection(makeCopy(dir, NOW + 1000, 3))).toMatchObject({ code: 'store_corrupt' })
    expect(copiesIn(dir)).toHaveLength(1)
    expect(existsSync(`${file}.damaged`)).toBe(true)
  })
})

describe('a damaged database', () => {
  test.each([
    ['pages of rows', damage],
    ['the head', (file: string) => writeFileSync(file, readFileSync(file).fill(0xa5, 0, 4096))],
    ['an end that is missing', (file: string) => truncateSync(file, readFileSync(file).length / 2)],
    ['all of it', (file: string) => truncateSync(file, 0)],
  ])('%s: is set aside, and the newest good copy is in its place', async (_, strike) => {
    const { dir, file } = await box()
    strike(file)
    const struck = readFileSync(file)
    const store = openStore(dir, { mends: true, clock: new ManualClock(NOW + 3_600_000) })
    expect(store.runs.list({ limit: 9 })).toHaveLength(1)
    expect(store.restored.get()).toMatchObject({ of: NOW, aside: 'damaged/20261130T040000Z' })
    expect(readFileSync(join(dir, 'damaged/20261130T040000Z/gatehouse.db')).equals(struck)).toBe(true)
    expect(existsSync(`${file}.damaged`)).toBe(false)
  })

  test('a copy that is damaged too is passed over for the one before', async () => {
    const { dir, file } = await box()
    const later = join(dir, 'copies/gatehouse-20261201T030000Z.db')
    writeFileSync(later, readFileSync(file))
    damage(later)
    damage(file)
    expect(openStore(dir, { mends: true }).restored.get()?.of).toBe(NOW)
  })

  test('without a good copy nothing is touched, and it is said what to do', async () => {
    const { dir, file, copy } = await box()
    damage(file)
    damage(copy.path)
    const before = readFileSync(file)
    const error = thrown(() => new Store({ dir, clock: new ManualClock(), mends: true }).start())
    expect(error).toMatchObject({
      code: 'store_corrupt',
      message: expect.stringMatching(/gatehouse restore FILE/),
    })
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(readdirSync(dir)).not.toContain('damaged')
  })

  test('a mend that a kill cut off is brought to its end by the next start', async () => {
    const { dir, file } = await box()
    damage(file)
    const whole = openStore(dir, { mends: true })
    whole.stop()
    // As it stands between the copy being ready and its being put in place.
    renameSync(file, `${file}.restored`)
    writeFileSync(file, 'damaged')
    writeFileSync(`${file}-wal`, 'of the damaged one')
    const again = openStore(dir, { mends: true })
    expect(again.runs.list({ limit: 9 })).toHaveLength(1)
  })

  test('a whole file is opened as it is', async () => {
    const { dir } = await box()
    const store = openStore(dir, { mends: true })
    expect(store.runs.list({ limit: 9 })).toHaveLength(2)
    expect(store.restored.get()).toBeNull()
    expect(existsSync(join(dir, 'damaged'))).toBe(false)
  })

  test('a large file is looked at no longer than there is time for', async () => {
    const { file } = await box()
    const db = new Database(file)
    db.run('CREATE TABLE bulk (bytes BLOB)')
    for (let n = 0; n < 70; n++) db.run('INSERT INTO bulk VALUES (zeroblob(1048576))')
    db.close()
    damage(file)
    const connection = new Connection()
    connection.open(file)
    demandWhole(connection, file, 0)
    expect(() => demandWhole(connection, file, 60_000)).toThrow(/damaged/)
    connection.close()
  })
})
