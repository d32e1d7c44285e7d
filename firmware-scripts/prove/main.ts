/**
 * `bun run prove:appliance [--release FOLDER] [--debian 12|13] [--only TEXT] [--busy]`: installs the built release under
 * a real systemd and does to it what happens to boxes. `--busy`: the machine has other work, so that the time of the
 * installation is told and not demanded. Needs root, debootstrap and systemd-nspawn (Debian: debootstrap systemd-container).
 */
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { debian, Machine, onHost } from './machine.ts'
import { makeReleases } from './releases.ts'
import { steps } from './steps.ts'

const { values } = parseArgs({
  options: {
    release: { type: 'string' },
    debian: { type: 'string', default: '12' },
    only: { type: 'string' },
    busy: { type: 'boolean' },
  },
})
const root = resolve(import.meta.dirname, '../..')
const release = resolve(values.release ?? join(root, 'dist/gatehouse-linux-x64'))
const debians: Record<string, string> = { 12: 'bookworm', 13: 'trixie' }
const suite = debians[values.debian]
const base = join(homedir(), `.cache/gatehouse/debian-${values.debian}`)

if (process.getuid?.() !== 0 || !Bun.which('systemd-nspawn') || !Bun.which('debootstrap')) {
  console.error('Run it as root, with debootstrap and systemd-container installed.')
  process.exit(2)
}
if (!existsSync(join(release, 'install.sh'))) {
  console.error(`${release} is no release: bun run build`)
  process.exit(2)
}
if (suite === undefined) {
  console.error(`--debian is one of: ${Object.keys(debians).join(', ')}`)
  process.exit(2)
}
await debian(base, suite)
const work = await mkdtemp(join(tmpdir(), 'gatehouse-prove-'))
const pictures = join(root, 'templates/cases/pictures')
const machine = new Machine(join(work, 'root'), {
  [release]: '/media/release',
  [join(work, 'next')]: '/media/next',
  [pictures]: '/media/pictures',
  [join(root, 'firmware-scripts/appliance')]: '/media/appliance',
  [join(work, 'updates')]: '/media/updates',
})
let failed = 0
/** Without which there is nothing to prove: it boots, and is installed. */
const FIRST = 3
try {
  await onHost('cp', '-a', '--reflink=auto', base, join(work, 'root'))
  await cp(release, join(work, 'next'), { recursive: true })
  await mkdir(join(work, 'updates'))
  let publicKey: Promise<string> | null = null
  const all = steps(
    machine,
    join(work, 'next'),
    () => (publicKey ??= makeReleases(join(work, 'updates'))),
    !values.busy,
  )
  const wanted = new RegExp(values.only ?? '')
  for (const [what, prove] of all.filter(([what], at) => at < FIRST || wanted.test(what))) {
    const start = performance.now()
    const more = await prove()
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    console.log(`ok ${what} (${more ?? `${seconds} s`})`)
  }
} catch (error) {
  failed = 1
  console.error(error instanceof Error ? error.message : error)
  const journal = await machine.try(
    'journalctl --boot --output cat --unit "gatehouse*" --lines 40 --no-pager',
  )
  console.error(journal.said)
} finally {
  await machine.powerOff().catch(() => machine.kill())
  await rm(work, { recursive: true, force: true })
}
console.log(failed ? 'not proven' : 'proven')
process.exit(failed)
