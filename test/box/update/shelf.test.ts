import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scheduledBackup } from '../../../src/box/backup/scheduled.ts'
import { backupStatusIn } from '../../../src/box/backup/status.ts'
import { BackupWatch } from '../../../src/box/backup/watch.ts'
import { AsOwner } from '../../../src/box/update/as-owner.ts'
import { isDue, isPast } from '../../../src/box/update/due.ts'
import { withShelf } from '../../../src/box/update/source.ts'
import { ManualClock } from '../../../src/core/index.ts'
import { Site } from '../../../src/site/index.ts'
import { folder, gatehouse, root, serve } from '../../cli/gatehouse.ts'

const isRoot = process.getuid?.() === 0

describe('when it is time', () => {
  const at = (clock: string) => Date.parse(`2026-11-30T${clock}:00Z`)

  it('a nightly update begins at its time or a little later, never in the middle of a day', () => {
    const due = (clock: string) => isDue('03:30', at(clock), 'UTC')
    expect(['03:29', '03:30', '05:29', '05:31', '12:00'].map(due)).toEqual([false, true, true, false, false])
    // In the site's clock.
    expect(isDue('03:30', at('02:31'), 'Europe/Berlin')).toBe(true)
    expect(isDue(null, at('03:30'), 'UTC')).toBe(false)
  })

  it('a backup that was missed is made up for, and one that was made is not made again', () => {
    const past = (last: string | null, now: string) => isPast('03:00', last, at(now), 'UTC')
    expect(past(null, '02:00')).toBe(true)
    expect(past('2026-11-30T03:01:00Z', '12:00')).toBe(false)
    expect(past('2026-11-29T03:01:00Z', '02:59')).toBe(false)
    expect(past('2026-11-29T03:01:00Z', '03:00')).toBe(true)
    expect(past('2026-11-27T03:01:00Z', '01:00')).toBe(true)
    // Of a clock that was wrong.
    expect(past('2036-01-01T03:01:00Z', '12:00')).toBe(true)
  })
})

describe.skipIf(!isRoot)('a backup by itself', () => {
  let data: string
  let state: string
  let shelf: string
  const clock = new ManualClock(Date.parse('2026-11-30T12:00:00Z'))
  const run = (now = true) => {
    const owner = new AsOwner(
      ['env', `STATE_DIRECTORY=${data}`, process.execPath, join(root, 'src/main.ts')],
      [],
    )
    return scheduledBackup({ owner, stateDir: state, clock, now })
  }
  const asks = (more = '') =>
    writeFileSync(
      join(data, 'site.yaml'),
      `cameras: { yard: {} }\nbackups: { to: ${shelf}, keep: 1${more} }\n`,
    )

  beforeAll(async () => {
    data = folder()
    writeFileSync(join(data, 'site.yaml'), 'cameras: { yard: {} }\n')
    const box = await serve(['--data', data, '--no-demo'])
    await box.stop()
  }, 60_000)
  beforeEach(() => {
    state = folder()
    shelf = mkdtempSync('/srv/gatehouse-shelf-')
    asks()
  })
  afterEach(() => {
    for (const dir of [state, shelf]) rmSync(dir, { recursive: true, force: true })
  })
  afterAll(() => rmSync(data, { recursive: true, force: true }))

  it('lies where the site says, as many as it says, and becomes a box again', async () => {
    const first = await run()
    clock.advance(60_000)
    const file = await run()
    expect(readdirSync(shelf)).toEqual([file?.split('/').at(-1)])
    expect(first).not.toBe(file)
    expect(backupStatusIn(state)).toMatchObject({ file, problem: null })
    // Not before the next night.
    expect(await run(false)).toBeNull()
    const other = folder()
    expect((await gatehouse('restore', file ?? '', '--data', other)).code).toBe(0)
    expect(readFileSync(join(other, 'site.yaml'), 'utf8')).toContain('backups:')
    rmSync(other, { recursive: true })
  }, 60_000)

  it('that cannot be made says why, until one is', async () => {
    const watch = new BackupWatch(
      () => Site.load(readFileSync(join(data, 'site.yaml'), 'utf8'), 'site.yaml'),
      clock,
      state,
    )
    rmSync(shelf, { recursive: true })
    await expect(run()).rejects.toThrow('plugged in')
    expect(watch.problem).toContain('plugged in')
    symlinkSync('/etc', shelf)
    await expect(run()).rejects.toThrow(/is not there|leads elsewhere/)
    expect(readdirSync('/etc').filter(name => name.startsWith('gatehouse-'))).toEqual([])
    rmSync(shelf)
    mkdirSync(shelf)
    await run()
    expect(watch.problem).toBeNull()
    clock.advance(70 * 3_600_000)
    expect(watch.problem).toContain('The newest backup is of')
  }, 60_000)
})

/** A disk that has a label; null where this machine has none to spare. */
function disk(label: string): { detach(): void } | null {
  const image = join(folder(), 'disk.img')
  const done = (...command: string[]) => Bun.spawnSync(command, { stderr: 'ignore' })
  done('truncate', '-s', '8M', image)
  if (!done('mkfs.ext4', '-q', '-F', '-L', label, image).success) return null
  const device = done('losetup', '--find', '--show', image).stdout.toString().trim()
  if (!device) return null
  const mounts = done('blkid', '-L', label).success
  const detach = () => void done('losetup', '-d', device)
  if (!mounts) detach()
  return mounts ? { detach } : null
}

it.skipIf(!isRoot)('a disk is mounted by its label for as long as it is needed', async context => {
  const label = `GH${process.pid}`
  const found = disk(label)
  if (!found) return context.skip()
  const shelf = { kind: 'disk', by: 'LABEL', name: label, folder: '/' } as const
  try {
    let path = ''
    await withShelf(shelf, true, async place => {
      path = place.kind === 'folder' ? place.path : ''
      writeFileSync(join(path, 'kept'), 'here')
    })
    expect(existsSync(path)).toBe(false)
    await withShelf(shelf, false, async place => {
      const there = place.kind === 'folder' ? place.path : ''
      expect(readFileSync(join(there, 'kept'), 'utf8')).toBe('here')
      expect(() => writeFileSync(join(there, 'more'), '')).toThrow('EROFS')
    })
  } finally {
    found.detach()
  }
  await expect(withShelf({ ...shelf, name: 'NOSUCH' }, false, async () => undefined)).rejects.toThrow(
    'plugged in',
  )
})
