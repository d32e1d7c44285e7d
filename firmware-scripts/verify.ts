/**
 * Every check of the project on a new machine: `bun run verify`. Installs the Debian packages that the tests use where
 * it may (root on Debian), says plainly what is skipped elsewhere, and closes with one line: `N passed, N failed`.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Program, or file of a package without one → the Debian package that has it, and the tests that want it. */
const wanted = [
  { program: 'ffmpeg', package: 'ffmpeg', tests: 'cameras that stream' },
  {
    program: '/usr/lib/*/girepository-1.0/GstRtspServer-1.0.typelib',
    package: 'gir1.2-gst-rtsp-server-1.0',
    tests: 'cameras that stream',
  },
  {
    program: '/usr/lib/python3/dist-packages/gi/__init__.py',
    package: 'python3-gi',
    tests: 'cameras that stream',
  },
  {
    program: '/usr/lib/python3/dist-packages/aiosmtpd/__init__.py',
    package: 'python3-aiosmtpd',
    tests: 'mails',
  },
  { program: 'chromium', package: 'chromium', tests: 'the page in a real browser' },
  { program: 'curl', package: 'curl', tests: 'the commands of docs/api.md' },
  { program: 'openssl', package: 'openssl', tests: 'TLS' },
  { program: 'faketime', package: 'faketime', tests: 'clocks that leap' },
  { program: 'mosquitto', package: 'mosquitto', tests: 'MQTT and Home Assistant' },
  { program: 'nats-server', package: 'nats-server', tests: 'the line to a NATS server' },
  { program: 'openssl', package: 'openssl', tests: 'lines that speak TLS' },
  { program: 'systemd-analyze', package: 'systemd', tests: 'how far the services are shut in' },
  { program: 'python3', package: 'python3-minimal', tests: 'what systemd is told' },
  { program: 'ip', package: 'iproute2', tests: 'what leaves the box' },
  { program: 'tcpdump', package: 'tcpdump', tests: 'what leaves the box' },
  { program: 'minisign', package: 'minisign', tests: 'the signature of a release' },
  { program: 'mkfs.ext4', package: 'e2fsprogs', tests: 'the data partition of an image' },
  { program: 'sfdisk', package: 'fdisk', tests: 'the image of a stock system' },
  { program: 'mkfs.vfat', package: 'dosfstools', tests: 'the image of a stock system' },
  { program: 'mcopy', package: 'mtools', tests: 'the image of a stock system' },
  { program: 'xz', package: 'xz-utils', tests: 'the archive of a release' },
  { program: 'shellcheck', package: 'shellcheck', tests: 'that the installer is clean' },
  { program: 'strace', package: 'strace', tests: 'that inference looks nothing up' },
]

await packages()
const bun = process.execPath
for (const script of ['models', 'format', 'lint', 'types', 'unused']) {
  if ((await run([bun, 'run', script])) !== 0) fail(`\`bun run ${script}\` failed`)
}
await tests()

async function packages(): Promise<void> {
  const missing = wanted.filter(({ program }) => !has(program))
  if (!missing.length) return
  const debian = existsSync('/etc/debian_version') && Bun.which('apt-get') && process.getuid?.() === 0
  if (debian) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const names = missing.map(entry => entry.package)
    const install = ['apt-get', 'install', '-y', '--no-install-recommends', '-qq', ...names]
    console.log(`installing for the tests: ${names.join(', ')}`)
    if ((await run(['apt-get', 'update', '-qq'], env)) === 0) await run(install, env)
  }
  for (const { program, package: name, tests } of missing) {
    if (!has(program))
      console.log(`skipped: ${tests} (no ${program}; as root on Debian: apt-get install ${name})`)
  }
}

function has(program: string): boolean {
  return program.startsWith('/')
    ? [...new Bun.Glob(program.slice(1)).scanSync({ cwd: '/' })].length > 0
    : Bun.which(program) !== null
}

async function tests(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-verify-'))
  const report = join(dir, 'report.json')
  const code = await run([
    ...[
      bun,
      '--bun',
      'vitest',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    ...process.argv.slice(2),
  ])
  if (!existsSync(report)) fail('the tests did not finish')
  const counts = JSON.parse(readFileSync(report, 'utf8'))
  rmSync(dir, { recursive: true })
  const skipped = counts.numPendingTests + counts.numTodoTests
  const failed = counts.numFailedTests || (code === 0 ? 0 : 1)
  console.log(`${counts.numPassedTests} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`)
  process.exit(failed ? 1 : 0)
}

async function run(
  command: string[],
  env: Record<string, string | undefined> = process.env,
): Promise<number> {
  return await Bun.spawn(command, { env, stdin: 'ignore', stdout: 'inherit', stderr: 'inherit' }).exited
}

function fail(line: string): never {
  console.error(line)
  console.log('0 passed, 1 failed')
  process.exit(1)
}
