import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Backups } from '../../../src/box/care/backups.ts'
import { ManualClock } from '../../../src/core/index.ts'
import { Site } from '../../../src/site/index.ts'
import { Store } from '../../../src/store/index.ts'

test('what a killed process was sent, and had unpacked of it, is gone at the next start, and nothing else', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-backups-'))
  try {
    const clock = new ManualClock()
    for (const folder of ['restoring/media', 'looked-at-7', 'copies']) {
      mkdirSync(join(dataDir, folder), { recursive: true })
      writeFileSync(join(dataDir, folder, 'gatehouse.db'), 'B-QX 4711')
    }
    for (const file of ['upload.backup', 'upload.backup.unfinished', 'site.yaml'])
      writeFileSync(join(dataDir, file), '')
    const store = new Store({ dir: dataDir, clock })
    const site = () => new Site()
    await new Backups({
      ...{ dataDir, store, clock, site },
      command: [],
      restart: null,
      problem: null,
    }).start()
    expect(readdirSync(dataDir).sort()).toEqual(['copies', 'site.yaml'])
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})
