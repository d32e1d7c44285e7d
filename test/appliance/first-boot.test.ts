import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { folder } from '../cli/gatehouse.ts'
import { scripts, sh, text } from './image-box.ts'

let dir: string
let boot: string
let root: string
beforeEach(() => {
  dir = folder()
  boot = join(dir, 'boot')
  root = join(dir, 'root')
  mkdirSync(join(boot, 'secrets'), { recursive: true })
  for (const path of ['etc/gatehouse', 'sys/class/net/eth0', 'usr/share/zoneinfo/Europe', 'var/lib/private'])
    mkdirSync(join(root, path), { recursive: true })
  writeFileSync(join(root, 'sys/class/net/eth0/address'), '52:54:00:1A:2b:3c\n')
  writeFileSync(join(root, 'usr/share/zoneinfo/Europe/Berlin'), '')
  writeFileSync(join(root, 'etc/gatehouse/flags'), 'GATEHOUSE_FLAGS="--host 0.0.0.0 "\n')
})
afterEach(() => rmSync(dir, { recursive: true }))

/** Runs it with a program that finds the site in order, or says what is wrong. */
async function firstBoot(args: string[] = [], reader = 'exit 0') {
  const program = join(dir, 'program')
  writeFileSync(program, `#!/bin/sh\n${reader}\n`, { mode: 0o755 })
  // Who reads the site here is whoever runs the tests.
  const tools = { setpriv: 'while [ "$1" != timeout ]; do shift; done; exec "$@"' }
  const places = ['--boot', boot, '--root', root, '--program', program]
  return await sh('first-boot.sh', [...args, ...places], { dir, tools })
}
const lay = (name: string, content: string) => writeFileSync(join(boot, name), content)
const etc = (name: string) => join(root, 'etc', name)
const report = () => text(join(boot, 'gatehouse-report.txt'))

describe('first-boot.sh', () => {
  it('names a box by its wired address where nothing else is said, and then does nothing', async () => {
    expect((await firstBoot()).code).toBe(0)
    expect(text(etc('hostname'))).toBe('gatehouse-1a2b3c\n')
    expect(text(etc('hosts'))).toContain('127.0.1.1 gatehouse-1a2b3c\n')
    rmSync(join(root, 'sys/class/net/eth0/address'))
    expect((await firstBoot()).out).toBe('')
    expect(text(etc('hostname'))).toBe('gatehouse-1a2b3c\n')
    expect(existsSync(join(boot, 'gatehouse-report.txt'))).toBe(false)
  })

  it('takes what an installer wrote on Windows, and removes it', async () => {
    lay(
      'gatehouse-first-boot.txt',
      [
        '\ufeff# Gate north',
        'host_name: gate-north',
        'time_zone: "Europe/Berlin"',
        'address: 192.168.1.20/24  # fixed',
        'gateway: 192.168.1.1',
        'dns: 192.168.1.1',
        'port: 9000',
        'ssh_key: ssh-ed25519 AAAAC3Nza installer@laptop',
        'secret.nvr: pass: "word" #1',
        '',
      ].join('\r\n'),
    )
    lay('secrets/gate-camera.txt', 'p;w')
    lay('site.yaml', 'cameras: {}\n')
    const { code, out } = await firstBoot()
    expect(code).toBe(0)
    expect(text(etc('hostname'))).toBe('gate-north\n')
    expect(text(etc('timezone'))).toBe('Europe/Berlin\n')
    expect(text(etc('systemd/network/10-gatehouse.network'))).toContain(
      'Address=192.168.1.20/24\nGateway=192.168.1.1\nDNS=192.168.1.1\n',
    )
    expect(text(etc('gatehouse/flags'))).toBe('GATEHOUSE_FLAGS="--port 9000 --host 0.0.0.0"\n')
    for (const [name, content] of [
      ['secrets/nvr', 'pass: "word" #1\n'],
      ['secrets/gate-camera', 'p;w'],
      ['ssh/authorized_keys', 'ssh-ed25519 AAAAC3Nza installer@laptop\n'],
    ] as const) {
      const path = etc(`gatehouse/${name}`)
      expect([text(path), statSync(path).mode & 0o777]).toEqual([content, 0o600])
    }
    expect(text(join(root, 'var/lib/private/gatehouse/site.yaml'))).toBe('cameras: {}\n')
    expect(readdirSync(boot)).toEqual(['gatehouse-report.txt'])
    expect(report()).toMatch(/^Gatehouse on gate-north, .*\r\n\r\nTaken:\r\n/)
    expect(report() + out).not.toMatch(/pass|p;w/)
  })

  it.each<[string, string]>([
    ['frobnicate: yes', 'line 1: frobnicate is no setting that is known'],
    ['host_name: Gate_1', 'line 1: host_name is small letters'],
    ['host_name: $(reboot)', 'line 1: host_name is small letters'],
    ['time_zone: ../../etc/passwd', 'line 1: time_zone is a name like'],
    ['time_zone: Mars/City', 'line 1: time_zone is a name like'],
    ['address: 192.168.1.20', 'line 1: address is like'],
    ['address: 999.1.1.1/24', 'line 1: address is like'],
    ['gateway: 192.168.1.1', 'gateway needs an address'],
    ['port: 0', 'line 1: port is a number'],
    ['ssh_key: -----BEGIN', 'line 1: ssh_key is one line'],
    ['secret.../x: y', 'is no setting that is known'],
    ['secret..x: y', 'has a name of'],
    ['secret.nvr:', 'secret.nvr has no value'],
    ['port: 80\nport: 81', 'line 2: port stands there twice'],
    ['hello', 'line 1: it is not "name: value"'],
    ['x'.repeat(70_000), 'longer than 64 kB'],
  ])('says what is wrong with %j, and takes nothing of the file', async (content, why) => {
    lay('gatehouse-first-boot.yaml', `${content}\nsecret.other: hunter2\n`)
    const { code } = await firstBoot()
    expect(code).toBe(1)
    expect(report()).toContain(why)
    expect(report()).not.toContain('hunter2')
    expect(existsSync(join(boot, 'gatehouse-first-boot.yaml'))).toBe(true)
    expect(existsSync(etc('gatehouse/secrets/other'))).toBe(false)
  })

  it('leaves a site file that cannot be read where it is, with what is wrong with it', async () => {
    lay('site.yaml', 'cameras: 7\n')
    const { code } = await firstBoot([], 'echo "site.yaml:1:10 error type: cameras is a map"; exit 1')
    expect(code).toBe(1)
    expect(report()).toContain(
      'NOT TAKEN. Mend this, and start the box again:\r\n  site.yaml:1:10 error type',
    )
    expect(existsSync(join(root, 'var/lib/private/gatehouse/site.yaml'))).toBe(false)
    expect((await firstBoot()).code).toBe(0)
    expect(readdirSync(boot)).not.toContain('site.yaml')
  })

  it('keeps the site that was there, and may be done twice', async () => {
    lay('site.yaml', 'first\n')
    await firstBoot()
    lay('site.yaml', 'second\n')
    await firstBoot()
    // The plug was pulled before it was removed.
    lay('site.yaml', 'second\n')
    await firstBoot()
    const data = join(root, 'var/lib/private/gatehouse')
    expect([text(join(data, 'site.yaml')), text(join(data, 'site.before.yaml'))]).toEqual([
      'second\n',
      'first\n',
    ])
  })

  it('follows no link and takes no secret of odd name', async () => {
    symlinkSync('/etc/passwd', join(boot, 'secrets/nvr'))
    lay('secrets/a b', 'x')
    lay('secrets/empty', '')
    expect((await firstBoot()).code).toBe(1)
    expect(readdirSync(etc('gatehouse/secrets'))).toEqual([])
    expect(report()).toContain('secrets/a?b: its name')
  })

  it('changes nothing in a dry run', async () => {
    lay('gatehouse-first-boot.yaml', 'host_name: x\nsecret.nvr: y\n')
    const { code, out } = await firstBoot(['--dry-run'])
    expect([code, out]).toEqual([0, expect.stringContaining('would: write')])
    expect(existsSync(etc('hostname'))).toBe(false)
    expect(existsSync(etc('gatehouse/secrets'))).toBe(false)
  })
})

describe('factory-reset.sh', () => {
  it('asks, and then asks for it at the next start', async () => {
    const reset = (args: string[], input = '') =>
      sh('factory-reset.sh', ['--boot', boot, '--no-reboot', ...args], { input })
    expect((await reset(['--wipe'], 'yes\n')).code).toBe(1)
    expect((await reset(['--wipe', '--dry-run'])).out).toContain('would: write')
    expect(existsSync(join(boot, 'factory-reset.txt'))).toBe(false)
    expect((await reset(['--wipe'], 'wipe all data\n')).code).toBe(0)
    expect(text(join(boot, 'factory-reset.txt'))).toBe('wipe all data\r\n')
    await reset(['--keep', '--yes'])
    expect(text(join(boot, 'factory-reset.txt'))).toBe('keep data\r\n')
    for (const args of [[], ['--wipe', '--keep'], ['--frob']]) expect((await reset(args)).code).toBe(2)
  })
})

describe('usb.sh', () => {
  it('takes models and what is signed, and writes onto the stick how it went', async () => {
    const stick = join(dir, 'stick')
    mkdirSync(join(stick, 'models'), { recursive: true })
    for (const name of ['models/good.gguf', 'models/bad.gguf', 'models/$(reboot)', 'run.sh'])
      writeFileSync(join(stick, name), 'x')
    writeFileSync(join(stick, 'gatehouse-image-1-linux-x64.tar'), 'x')
    writeFileSync(join(stick, 'gatehouse-image-2-linux-x64.tar'), 'x')
    const program = join(dir, 'gatehouse')
    writeFileSync(
      program,
      `#!/bin/sh\necho "$@" >>${dir}/calls\ncase $3 in *bad*) echo "its hash is wrong" >&2; exit 1 ;; esac\necho taken\n`,
      { mode: 0o755 },
    )
    const tools = join(dir, 'tools')
    mkdirSync(tools)
    writeFileSync(
      join(tools, 'ab.sh'),
      `#!/bin/sh\necho "$@" >>${dir}/calls\necho not signed >&2\nexit 1\n`,
      {
        mode: 0o755,
      },
    )
    const args = ['--folder', stick, '--program', program, '--tools', tools]
    expect((await sh('usb.sh', [...args, '--dry-run'])).out).toContain('would take: models/good.gguf')
    expect(existsSync(join(dir, 'calls'))).toBe(false)
    expect((await sh('usb.sh', args)).code).toBe(1)
    const result = text(join(stick, 'gatehouse-result.txt'))
    expect(result).toContain('TAKEN   models/good.gguf: taken\r\n')
    expect(result).toContain('REFUSED models/bad.gguf: its hash is wrong\r\n')
    expect(result).toContain('REFUSED gatehouse-image-2-linux-x64.tar: not signed\r\n')
    expect(result).toContain('PASSED OVER ??reboot?')
    const calls = text(join(dir, 'calls'))
    expect(calls).not.toMatch(/reboot|run\.sh|image-1/)
  })

  it('takes no device but that of a stick', async () => {
    expect((await sh('usb.sh', ['/dev/vda'])).code).toBe(2)
    expect((await sh('usb.sh', ['/dev/sda;reboot'])).code).toBe(2)
  })
})

describe('console.sh', () => {
  it('shows what the engine says to people, and not its log', async () => {
    const said = join(dir, 'said')
    writeFileSync(said, '{"level":"info"}\nGatehouse is up: http://x\n\u001b[2Jtype the claim code ABCD\n')
    const { out } = await sh('console.sh', ['--from', said, '--dry-run'])
    expect(out).toBe('Gatehouse is up: http://x\n[2Jtype the claim code ABCD\n')
  })
})

describe('the scripts of an image', () => {
  const names = readdirSync(scripts).filter(name => name.endsWith('.sh'))

  it.skipIf(!Bun.which('shellcheck'))('are clean in the eyes of shellcheck, as POSIX sh', async () => {
    const files = [...names, 'initramfs-hook', 'initramfs-script', '../image.sh'].map(name =>
      join(scripts, name),
    )
    const child = Bun.spawn(['shellcheck', '--shell=sh', '-x', '-P', 'SCRIPTDIR', ...files], {
      stdout: 'pipe',
    })
    expect(await new Response(child.stdout).text()).toBe('')
    expect(await child.exited).toBe(0)
  })

  it.each([...names.filter(name => name !== 'lib.sh'), '../image.sh'])('%s explains itself', async name => {
    const { code, out } = await sh(name, ['--help'])
    expect([code, out]).toEqual([0, expect.stringContaining('--dry-run')])
  })
})
