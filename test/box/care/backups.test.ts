import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Backups } from '../../../src/box/care/backups.ts'
import { ManualClock } from '../../../src/core/index.ts'
import { Site } from '../../../src/site/index.ts'
import { Store } from '../../../src/store/index.ts'

let dataDir: string
let clock: ManualClock
let backups: Backups
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-backups-'))
  clock = new ManualClock()
  const store = new Store({ dir: dataDir, clock })
  const site = () => new Site()
  backups = new Backups({
    ...{ dataDir, store, clock, site },
    ...{ command: [], restart: null, problem: null },
  })
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

test('what a killed process was sent, and had unpacked of it, is gone at the next start, and nothing else', async () => {
  for (const folder of ['restoring/media', 'looked-at-7', 'copies']) {
    mkdirSync(join(dataDir, folder), { recursive: true })
    writeFileSync(join(dataDir, folder, 'gatehouse.db'), 'B-QX 4711')
  }
  for (const file of ['upload.backup', 'upload.backup.unfinished', 'site.yaml'])
    writeFileSync(join(dataDir, file), '')
  await backups.start()
  expect(readdirSync(dataDir).sort()).toEqual(['copies', 'site.yaml'])
})

test('whoever stops in the middle of sending one holds up nobody else for longer than a minute', async () => {
  let begun = () => {}
  const first = new Promise<void>(resolve => {
    begun = resolve
  })
  const stalled = new ReadableStream<Uint8Array>(
    {
      // It is asked for more once the first of it was taken.
      pull: controller => (controller.desiredSize === 1 ? begun() : undefined),
      start: controller => controller.enqueue(new Uint8Array(8)),
    },
    { highWaterMark: 1 },
  )
  const taking = backups.take(stalled).catch(error => error)
  const whole = () => new Blob(['a backup']).stream() as ReadableStream<Uint8Array>
  await first
  await expect(backups.take(whole())).rejects.toMatchObject({ code: 'backup_busy' })
  let over = false
  taking.then(() => {
    over = true
  })
  // What came first is written before the next is waited for.
  while (!over) {
    clock.advance(60_000)
    await new Promise(resolve => setImmediate(resolve))
  }
  expect(await taking).toMatchObject({ code: 'broken_off' })
  expect(await backups.take(whole())).toMatchObject({ bytes: 8 })
  expect(readdirSync(dataDir)).toEqual(['upload.backup'])
})
