import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { folder, root } from '../cli/gatehouse.ts'

const script = join(root, 'firmware-scripts/image.sh')
const MB = 1024 * 1024
/** What makes and mounts an image; a container may have no loop devices. */
const able =
  process.getuid?.() === 0 &&
  ['sfdisk', 'mkfs.ext4', 'mkfs.vfat', 'mcopy'].every(name => Bun.which(name)) &&
  Bun.spawnSync(['losetup', '--find']).exitCode === 0

let dir: string
beforeEach(() => {
  dir = folder()
})
afterEach(() => rmSync(dir, { recursive: true }))

function run(command: string[], input = ''): { code: number; out: string; err: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, {
    stdin: new TextEncoder().encode(input),
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, TMPDIR: dir },
  })
  return { code: exitCode, out: stdout.toString(), err: stderr.toString() }
}
const must = (command: string[], input = '') => {
  const { code, err } = run(command, input)
  expect([command[0], code, code === 0 ? '' : err]).toEqual([command[0], 0, ''])
}
const mounted = () => readFileSync('/proc/mounts', 'utf8').includes(dir)

/** The image of a Raspberry Pi OS: boot files on a FAT, then the system; `label`: which kind of partition table. */
function image(label: 'dos' | 'gpt'): string {
  const system = join(dir, 'system')
  for (const each of ['sbin', 'etc', 'lib/systemd', 'boot/firmware'])
    mkdirSync(join(system, each), { recursive: true })
  writeFileSync(join(system, 'lib/systemd/systemd'), '#!/bin/sh\n', { mode: 0o755 })
  symlinkSync('../lib/systemd/systemd', join(system, 'sbin/init'))
  writeFileSync(join(system, 'etc/shadow'), 'root:*:1::::::\n', { mode: 0o640 })
  const fat = join(dir, 'fat')
  const ext = join(dir, 'ext')
  writeFileSync(fat, '')
  truncateSync(fat, 8 * MB)
  must(['mkfs.vfat', fat])
  writeFileSync(join(dir, 'config.txt'), 'arm_64bit=1\n')
  must(['mcopy', '-i', fat, join(dir, 'config.txt'), '::'])
  must(['mkfs.ext4', '-q', '-d', system, ext, '24M'])
  const disk = join(dir, 'stock.img')
  writeFileSync(disk, '')
  truncateSync(disk, 36 * MB)
  const kind = label === 'dos' ? ['c', '83'] : ['uefi', 'linux']
  must(
    ['sfdisk', '--quiet', disk],
    `label: ${label}\nstart=2048, size=16384, type=${kind[0]}\nstart=18432, size=49152, type=${kind[1]}\n`,
  )
  must(['dd', `if=${fat}`, `of=${disk}`, 'bs=1M', 'seek=1', 'conv=notrunc', 'status=none'])
  must(['dd', `if=${ext}`, `of=${disk}`, 'bs=1M', 'seek=9', 'conv=notrunc', 'status=none'])
  return disk
}

describe.skipIf(!able)('the image of a stock system', () => {
  it.each(['dos', 'gpt'] as const)('with a table of %s is only read, and its system copied out', label => {
    const disk = image(label)
    const before = Bun.hash(readFileSync(disk))
    const out = join(dir, 'out')
    const { code, out: said, err } = run(['sh', script, '--system', disk, '--copy-out', out])
    expect([code, err]).toEqual([0, ''])
    expect(said).toContain('apt-get install')
    expect(readFileSync(join(out, 'sbin/init'), 'utf8')).toBe('#!/bin/sh\n')
    expect(readFileSync(join(out, 'boot/firmware/config.txt'), 'utf8')).toBe('arm_64bit=1\n')
    expect(run(['stat', '-c', '%a', join(out, 'etc/shadow')]).out).toBe('640\n')
    expect(Bun.hash(readFileSync(disk))).toBe(before)
    expect(mounted()).toBe(false)
    expect(run(['sh', script, '--system', disk, '--copy-out', out]).err).toContain('is there already')
  })

  it('is looked into as a folder is: what it lacks is said', async () => {
    const disk = image('gpt')
    const release = join(dir, 'release')
    mkdirSync(release)
    writeFileSync(join(release, 'RELEASE'), 'version=1.0.0\ntarget=linux-x64\ndate=1700000000\n')
    const { code, err } = run(['sh', script, '--system', disk, '--release', release, '--dry-run'])
    expect([code, err]).toEqual([1, expect.stringMatching(/has no usr\/lib\/systemd\/boot\/efi.*--packages/)])
    expect(mounted()).toBe(false)
  })

  it('is refused where it is none', () => {
    const junk = join(dir, 'stock.img.xz')
    writeFileSync(junk, 'no image at all')
    const { code, err } = run(['sh', script, '--system', junk, '--copy-out', join(dir, 'out')])
    expect([code, err]).toEqual([1, expect.stringContaining('no image of a disk with partitions')])
    const empty = join(dir, 'empty.img')
    writeFileSync(empty, '')
    truncateSync(empty, 8 * MB)
    must(['sfdisk', '--quiet', empty], 'label: gpt\nstart=2048, size=4096\n')
    const found = run(['sh', script, '--system', empty, '--copy-out', join(dir, 'out')])
    expect([found.code, found.err]).toEqual([
      1,
      expect.stringContaining('no partition of ext4 with a Debian'),
    ])
    expect(existsSync(join(dir, 'out'))).toBe(false)
    expect(run(['sh', script, '--system', dir, '--copy-out', join(dir, 'out')]).code).toBe(2)
  })
})
