import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newKey } from '../../firmware-scripts/minisign.ts'
import { SlotBox, sh, text } from './image-box.ts'

let box: SlotBox
beforeEach(() => {
  box = new SlotBox()
})
afterEach(() => rmSync(box.dir, { recursive: true }))

const report = () => text(join(box.boot, 'gatehouse-report.txt'))

describe.skipIf(!Bun.which('minisign'))('a bundle', () => {
  it('is written into the other slot and tried three times', async () => {
    const { code, err } = await box.ab(['install', await box.bundle({ image: 'two' })])
    expect([code, err]).toEqual([0, ''])
    expect(readdirSync(box.entries).toSorted()).toEqual(['gatehouse-a.conf', 'gatehouse-b+3.conf'])
    const entry = text(join(box.entries, 'gatehouse-b+3.conf'))
    expect(entry).toContain('version 2\n')
    expect(entry).toContain('root=PARTLABEL=gh-root-b rootfstype=squashfs ro gatehouse.slot=b quiet\n')
    expect(readFileSync(box.slotB).subarray(0, 6).toString()).toBe('twotwo')
    expect(text(join(box.boot, 'gatehouse/b/vmlinuz'))).toBe('kernel of two')
    expect(text(join(box.data, 'trial/which'))).toBe('slot=b\nimage=two\nfrom=a\n')
    expect((await box.ab(['status'])).out).toContain('Slot b: two, on trial')
    // The same stick is put in once more.
    expect((await box.ab(['install', await box.bundle({ image: 'two' })])).out).toContain('already')
    expect((await box.ab(['install', await box.bundle({ image: 'one' })])).out).toContain(
      'nothing is to be done',
    )
  })

  it.each<[string, () => Promise<string>, RegExp]>([
    [
      'signed by somebody else',
      () => box.bundle({ image: 'two', key: newKey() }),
      /not signed by whoever made/,
    ],
    [
      'whose manifest was changed',
      () => box.bundle({ image: 'two' }, at => writeFileSync(join(at, 'MANIFEST'), 'format=1\n')),
      /not signed by whoever made/,
    ],
    [
      'of which a piece was changed',
      () =>
        box.bundle({ image: 'two' }, at => writeFileSync(join(at, 'root.squashfs'), Buffer.alloc(100_000))),
      /root\.squashfs in .* is not as it was made/,
    ],
    [
      'that was not copied whole',
      async () => {
        const path = await box.bundle({ image: 'two' })
        truncateSync(path, 60_000)
        return path
      },
      /not copied whole|not as it was made/,
    ],
    ['for another machine', () => box.bundle({ image: 'two', target: 'linux-arm64' }), /is for linux-arm64/],
    ['that is older', () => box.bundle({ image: 'two', date: 1 }), /say --older/],
    ['that is none', async () => box.slotB, /no bundle of an image/],
    ['that is not there', async () => join(box.dir, 'x.tar'), /cannot be read/],
  ])('%s is refused, and nothing is written', async (_, make, why) => {
    const path = await make()
    const before = readFileSync(box.slotB)
    const { code, err } = await box.ab(['install', path])
    expect([code, err]).toEqual([1, expect.stringMatching(why)])
    expect(readFileSync(box.slotB).equals(before)).toBe(true)
    expect(readdirSync(box.entries)).toEqual(['gatehouse-a.conf'])
    expect(existsSync(join(box.data, 'trial'))).toBe(false)
  })

  it('is only looked at in a dry run; an older one is taken when that is said', async () => {
    const path = await box.bundle({ image: 'two', date: 1 })
    expect((await box.ab(['install', path, '--older', '--dry-run'])).out).toContain('Nothing was changed.')
    expect(readdirSync(box.entries)).toEqual(['gatehouse-a.conf'])
    expect((await box.ab(['install', path, '--older'])).code).toBe(0)
  })
})

describe.skipIf(!Bun.which('minisign'))('a system on trial', () => {
  const well = { systemctl: 'case $1 in show) echo 0 ;; esac', journalctl: 'exit 1' }
  beforeEach(async () => {
    await box.ab(['install', await box.bundle({ image: 'two' })])
    // As the loader counts.
    renameSync(join(box.entries, 'gatehouse-b+3.conf'), join(box.entries, 'gatehouse-b+2-1.conf'))
  })
  const two = { slot: 'b', image: 'two' } as const

  it('is kept when its first minutes were well', async () => {
    await box.ab(['begin'], two)
    expect(text(join(box.data, 'trial/before/gatehouse.db'))).toBe('before')
    const { code } = await box.ab(['health', '--watch', '1'], { ...two, tools: well })
    expect(code).toBe(0)
    expect(readdirSync(box.entries).toSorted()).toEqual(['gatehouse-a.conf', 'gatehouse-b.conf'])
    expect(existsSync(join(box.data, 'trial'))).toBe(false)
    expect(report()).toContain('two is well and stays.')
    await box.ab(['back'], two)
    expect(text(join(box.entries, 'gatehouse-a.conf'))).toContain('version 3')
  })

  it.each([
    [
      'goes down again and again',
      { ...well, systemctl: 'case $1 in show) echo 7 ;; is-active) exit 3 ;; esac' },
    ],
    [
      'has no inference',
      { ...well, systemctl: 'case "$*" in show*) echo 5 ;; *gatehouse-inference*) exit 3 ;; esac' },
    ],
    ['starts in safe mode', { ...well, journalctl: 'echo "SAFE MODE, nothing runs"' }],
  ])('that %s gives way to the other, with the database as it was', async (_, tools) => {
    await box.ab(['begin'], two)
    writeFileSync(box.database, 'brought forward')
    writeFileSync(`${box.database}-wal`, 'newer')
    // A restart on trial does not take a second copy.
    await box.ab(['begin'], two)
    await box.ab(['health', '--watch', '2'], { ...two, tools })
    expect(readdirSync(box.entries).toSorted()).toEqual(['gatehouse-a.conf', 'gatehouse-b+0-3.conf'])
    const { out } = await box.ab(['begin'])
    expect(out).toContain('two did not start well, so one runs again')
    expect(text(box.database)).toBe('before')
    expect(existsSync(`${box.database}-wal`)).toBe(false)
    expect(report()).toContain('with its database as it was before')
    // It is not tried for ever by the stick that stays in.
    const again = await box.ab(['install', await box.bundle({ image: 'two' })])
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('say --again')])
    expect((await box.ab(['install', await box.bundle({ image: 'two' }), '--again'])).code).toBe(0)
  })

  it('that never came up is said, and leaves the database alone', async () => {
    writeFileSync(box.database, 'now')
    expect((await box.ab(['begin'])).out).toContain('two did not start, so one runs again')
    expect(text(box.database)).toBe('now')
  })

  it('that a pulled plug left half written is said to be so', async () => {
    rmSync(join(box.entries, 'gatehouse-b+2-1.conf'))
    expect((await box.ab(['begin'])).out).toContain('was not written whole')
    expect((await box.ab(['install', await box.bundle({ image: 'two' })])).code).toBe(0)
  })
})

describe('ab.sh on a Raspberry Pi', () => {
  it('swaps which boot partition is tried', async () => {
    const file = join(box.boot, 'autoboot.txt')
    writeFileSync(file, '[all]\ntryboot_a_b=1\nboot_partition=2\n[tryboot]\nboot_partition=3\n')
    expect((await box.ab(['good'], { slot: 'b' })).code).toBe(0)
    expect(text(file)).toBe('[all]\ntryboot_a_b=1\nboot_partition=3\n[tryboot]\nboot_partition=2\n')
    await box.ab(['back'], { slot: 'b' })
    expect(text(file)).toContain('[all]\ntryboot_a_b=1\nboot_partition=2\n')
  })
})

describe('ab.sh', () => {
  it.each([[['frobnicate']], [[]], [['--frob']], [['status', 'more']]])(
    'does not know %j: exit 2',
    async args => {
      expect((await sh('ab.sh', [...args, '--slot', 'a'])).code).toBe(2)
    },
  )
  it('says where it cannot be of use', async () => {
    const { code, err } = await sh('ab.sh', ['status'])
    expect([code, err]).toEqual([1, expect.stringContaining('use the install.sh of a release')])
  })
})
