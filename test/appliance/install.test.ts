import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { seal } from '../../firmware-scripts/seal.ts'
import { folder, root } from '../cli/gatehouse.ts'
import { freePort } from '../connect/nats/server.ts'

const script = join(root, 'firmware-scripts/install.sh')
const arch = process.arch === 'x64' ? 'linux-x64-baseline' : 'linux-arm64'

let dir: string
let release: string

/** A release as the script sees one; its program is never run by a dry run. */
beforeEach(async () => {
  dir = folder()
  release = join(dir, 'release')
  mkdirSync(release)
  cpSync(script, join(release, 'install.sh'))
  cpSync(join(root, 'systemd'), join(release, 'systemd'), { recursive: true })
  writeFileSync(join(release, 'gatehouse'), '#!/bin/sh\nexit 1\n')
  chmodSync(join(release, 'gatehouse'), 0o755)
  await seal(release, arch)
})
afterEach(() => rmSync(dir, { recursive: true }))

/** Runs it under Debian's sh; `tools`: scripts that stand before the system's own programs. */
async function install(args: string[], tools: Record<string, string> = {}) {
  const bin = join(dir, 'bin')
  mkdirSync(bin, { recursive: true })
  for (const [name, body] of Object.entries({ systemctl: 'echo "systemd 252 (252.1)"; exit 3', ...tools })) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
  }
  const child = Bun.spawn(['sh', join(release, 'install.sh'), ...args], {
    env: { PATH: `${bin}:${process.env.PATH}` },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, out, err }
}

describe('install.sh', () => {
  it.skipIf(!Bun.which('shellcheck'))('is clean in the eyes of shellcheck, as POSIX sh', async () => {
    const child = Bun.spawn(['shellcheck', '--shell=sh', script], { stdout: 'pipe' })
    expect(await new Response(child.stdout).text()).toBe('')
    expect(await child.exited).toBe(0)
  })

  it('says in a dry run what it would do, and does nothing', async () => {
    const { code, out, err } = await install(['--dry-run', '--port', '9000'])
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('would: write /etc/systemd/system/gatehouse.service')
    expect(out).toContain('Nothing was changed.')
    expect(readdirSync(release).toSorted()).toEqual(
      ['RELEASE', 'SHA256SUMS', 'gatehouse', 'install.sh', 'systemd'].toSorted(),
    )
  })

  it('says in a dry run that it would ask an NVR; with a site file there is nothing to ask', async () => {
    const { code, out } = await install(['--dry-run', '--port', String(freePort()), '--nvr', '192.168.1.10'])
    expect([code, out]).toEqual([0, expect.stringContaining('would: ask 192.168.1.10 whether it is an NVR')])
    for (const args of [
      ['--nvr', 'x', '--site', script],
      ['--nvr', '--write'],
      ['--nvr', 'a;b'],
      ['--nvr', ''],
    ])
      expect((await install(['--dry-run', ...args])).code, args.join(' ')).toBe(2)
  })

  it.each<[string, string[], Record<string, string>, RegExp]>([
    [
      'an old C library',
      [],
      { getconf: 'case $1 in LONG*) echo 64 ;; *) echo glibc 2.31 ;; esac' },
      /Debian 12/,
    ],
    ['an old systemd', [], { systemctl: 'echo "systemd 249 (249.11)"' }, /systemd 249 is too old/],
    ['a system without systemd', [], { systemctl: 'exit 127' }, /no systemd/],
    ['another C library', [], { getconf: 'case $1 in LONG*) echo 64 ;; *) exit 1 ;; esac' }, /no glibc/],
    [
      'a system of 32 bits',
      [],
      { getconf: 'case $1 in LONG*) echo 32 ;; *) echo glibc 2.36 ;; esac' },
      /64-bit/,
    ],
    ['another processor', [], { uname: 'echo riscv64' }, /none for riscv64/],
    ['a 32-bit Pi OS', [], { uname: 'echo armv7l' }, /64-bit Raspberry Pi OS/],
    [
      'little memory',
      [],
      { awk: 'case "$*" in *MemTotal*) echo 512 ;; *) exec /usr/bin/awk "$@" ;; esac' },
      /512 MB of memory/,
    ],
    ['a full disk', [], { df: "printf 'Filesystem\\n/dev/sda 9 9 10 9%% /\\n'" }, /10 MB free/],
    [
      'a clock that stands at 1970',
      [],
      { date: 'case $1 in +%s) echo 86400 ;; *) echo 1970-01-02 ;; esac' },
      /timedatectl set-time/,
    ],
    ['a site file that is not there', ['--site', '/nonexistent/site.yaml'], {}, /cannot be read/],
  ])('stops at %s and says what to do', async (_, args, tools, why) => {
    const { code, out, err } = await install(['--dry-run', ...args], tools)
    expect(code).toBe(1)
    expect(err).toMatch(why)
    expect(err).toContain('nothing was changed')
    expect(out).not.toContain('would:')
  })

  it('goes on where it is told to, all the same', async () => {
    const { code, err } = await install(['--dry-run', '--ignore-checks'], { uname: 'echo riscv64' })
    expect(code).toBe(0)
    expect(err).toContain('going on although')
  })

  it('stops at a port that another program has', async () => {
    const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
    try {
      const { code, err } = await install(['--dry-run', '--port', String(other.port)])
      expect(code).toBe(1)
      expect(err).toContain(`port ${other.port} is taken`)
    } finally {
      await other.stop(true)
    }
  })

  it.each([
    ['changed', () => writeFileSync(join(release, 'systemd/gatehouse.service'), 'x')],
    ['lost', () => rmSync(join(release, 'systemd/gatehouse.service'))],
  ])('stops at a file that was %s on its way', async (_, harm) => {
    harm()
    const { code, err } = await install(['--dry-run'])
    expect(code).toBe(1)
    expect(err).toContain('unpack or copy the release again')
  })

  it('runs from another folder, and by a path with spaces', async () => {
    symlinkSync(release, join(dir, 'a stick'))
    const child = Bun.spawn(
      ['sh', join(dir, 'a stick', 'install.sh'), '--dry-run', '--port', String(freePort())],
      {
        cwd: '/',
        env: { PATH: `${join(dir, 'bin')}:${process.env.PATH}` },
        stdout: 'pipe',
        stderr: 'pipe',
      },
    )
    expect(await new Response(child.stdout).text()).toContain('Nothing was changed.')
  })

  it.each([
    [['--port']],
    [['--port', '0']],
    [['--port', '70000']],
    [['--port', '80;reboot']],
    [['--host', 'a b']],
    [['--host', '"; reboot; "']],
    [['--purge']],
    [['--frobnicate']],
  ])('does not know %j: exit 2', async args => {
    const { code, err } = await install(args)
    expect(code).toBe(2)
    expect(err.trim().split('\n')).toHaveLength(1)
  })

  it('explains itself', async () => {
    const { code, out } = await install(['--help'])
    expect(code).toBe(0)
    for (const flag of ['--dry-run', '--uninstall', '--purge', '--downgrade', '--site'])
      expect(out).toContain(flag)
  })
})
