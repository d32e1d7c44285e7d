/**
 * `bun run prove:image [--release FOLDER] [--debian FOLDER] [--image FILE --bundle FILE --key FILE] [--only packets]`: makes an
 * image, flashes it onto the disk of a PC in software and does to it what happens to boxes. Slow: nothing helps the processor.
 * `--only packets` starts a box of 1 GB and looks at what leaves it, and needs no more of them than an `--image`.
 * Needs root and, of Debian: qemu-system-x86 ovmf debootstrap squashfs-tools dosfstools mtools fdisk openssh-client.
 */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { newKey, publicKeyOf, signatureOf } from '../minisign.ts'
import { onHost } from './machine.ts'
import { provePackets } from './packets.ts'
import { Pc, stick } from './qemu.ts'

const { values } = parseArgs({
  options: {
    release: { type: 'string' },
    debian: { type: 'string' },
    image: { type: 'string' },
    bundle: { type: 'string' },
    key: { type: 'string' },
    only: { type: 'string' },
    port: { type: 'string', default: '18088' },
  },
})
if (values.only !== undefined && values.only !== 'packets') {
  console.error('--only knows one word: packets')
  process.exit(2)
}
const root = resolve(import.meta.dirname, '../..')
const release = resolve(values.release ?? join(root, 'dist/gatehouse-linux-x64'))
const debian = resolve(values.debian ?? join(homedir(), '.cache/gatehouse/debian-12-image'))
const maker = join(root, 'firmware-scripts/image.sh')
const work = await mkdtemp(join(tmpdir(), 'gatehouse-prove-image-'))
const began = performance.now()
const clock = () => `${((performance.now() - began) / 1000).toFixed(0)} s`

async function step(what: string, prove: () => Promise<string | undefined>): Promise<void> {
  const start = performance.now()
  const more = await prove()
  console.log(`ok ${what} (${more ?? `${((performance.now() - start) / 1000).toFixed(0)} s`})`)
}
function demand(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(otherwise)
}

/** The image, the bundle beside it and the key that signs; made unless they were named. */
async function made(): Promise<{ image: string; bundle: string; key: string }> {
  const { image, bundle, key, only } = values
  if (image && only) return { image, bundle: '', key: '' }
  if (image && bundle && key) return { image, bundle, key: await readFile(key, 'utf8') }
  if (!existsSync(`${debian}/sbin/init`)) {
    await mkdir(dirname(debian), { recursive: true })
    const packages = (await onHost(maker, '--packages')).trim()
    await onHost('debootstrap', '--variant=minbase', `--include=${packages}`, 'bookworm', debian)
  }
  const own = newKey()
  await writeFile(join(work, 'key'), own, { mode: 0o600 })
  await writeFile(join(work, 'key.pub'), publicKeyOf(own))
  const keys = ['--key', join(work, 'key'), '--public', join(work, 'key.pub')]
  await onHost(maker, '--system', debian, '--release', release, '--out', work, '--name', 'one', ...keys)
  const stem = join(work, 'gatehouse-image-one-linux-x64')
  return { image: `${stem}.img`, bundle: `${stem}.tar`, key: own }
}

/** The same system under another name, newer, with other options for its kernel; signed. */
async function renamed(bundle: string, key: string, name: string, options = ''): Promise<string> {
  const folder = join(work, name)
  await mkdir(folder)
  await onHost('tar', '-xf', bundle, '-C', folder)
  const manifest = join(folder, 'MANIFEST')
  const text = (await readFile(manifest, 'utf8'))
    .replace(/^image=.*$/m, `image=${name}`)
    .replace(/^date=(\d+)$/m, (_, date: string) => `date=${Number(date) + 60}`)
    .replace(/^options=.*$/m, kept => `${kept}${options}`)
  await writeFile(manifest, text)
  await writeFile(`${manifest}.minisig`, await signatureOf(manifest, key, name))
  const path = join(work, `gatehouse-image-${name}-linux-x64.tar`)
  await onHost('tar', '-C', folder, '-cf', path, 'MANIFEST', 'MANIFEST.minisig', 'root.squashfs', 'boot.tar')
  await rm(folder, { recursive: true })
  return path
}

const CLAIM = /claim code ([A-Z0-9]{4}(?:-[A-Z0-9]{4})+)/
const UP = /Gatehouse is up: https?:\/\/\S+/

/** Everything else that happens to a box. */
async function proveLife(
  pc: Pc,
  { image, bundle, key }: { image: string; bundle: string; key: string },
): Promise<void> {
  await pc.flash(image, '8G')
  const claimed = async () =>
    ((await (await pc.ask('/api/v1/session')).json()) as { claimed: boolean }).claimed

  await step(
    'it starts, makes its data partition as large as the disk, and shows the code to claim it',
    async () => {
      const start = performance.now()
      pc.switchOn()
      const [, code = ''] = await pc.shows(CLAIM)
      const seconds = (performance.now() - start) / 1000
      const body = { code, name: 'installer', password: 'a password of four words' }
      const answer = await pc.ask('/api/v1/session/claim', { body })
      demand(answer.status === 201, `the claim was answered with ${answer.status}: ${await answer.text()}`)
      await pc.shows(/just decided/)
      const decided = (performance.now() - start) / 1000
      return `${seconds.toFixed(0)} s until it can be claimed, ${decided.toFixed(0)} s until its first decision`
    },
  )
  await step('a plug is pulled; it takes what lies on its boot partition, and knows its owner', async () => {
    await pc.pullPlug()
    const lay = async (name: string, text: string) => {
      await writeFile(join(work, 'laid'), text)
      await pc.lay(join(work, 'laid'), name)
    }
    await lay(
      'site.yaml',
      'cameras:\n  yard: { name: The yard, roles: [yard], source: { folder: pictures/yard } }\n',
    )
    await lay('gatehouse-first-boot.yaml', 'host_name: gate-north\r\nsecret.nvr: hunter2\r\n')
    pc.switchOn()
    await pc.shows(UP)
    demand(await claimed(), 'it has forgotten its owner')
    await pc.pullPlug()
    const report = await pc.read('gatehouse-report.txt')
    for (const text of ['Gatehouse on gate-north', 'host name gate-north', 'secret nvr', 'site.yaml'])
      demand(report.includes(text), `the report does not say "${text}": ${report}`)
    const left = await onHost('mdir', '-b', '-i', `${pc.disk}@@1M`, '::')
    demand(!/first-boot|site\.yaml/.test(left), `it left what it took: ${left}`)
    return undefined
  })
  await step('a site file that cannot be read is said on the boot partition', async () => {
    await writeFile(join(work, 'laid'), 'cameras: 7\n')
    await pc.lay(join(work, 'laid'), 'site.yaml')
    pc.switchOn()
    await pc.shows(/site\.yaml:1:\d+ error/)
    await pc.shows(UP)
    return undefined
  })
  await step('a bundle on a stick whose system does not start: the box falls back by itself', async () => {
    const broken = join(work, 'broken.stick')
    await stick(broken, 1024, [await renamed(bundle, key, 'broken', ' init=/bin/false')])
    await pc.stickIn(broken)
    await pc.shows(/is tried at the next start/)
    await pc.shows(/Take the stick out|reboot: Restarting|Restarting system/, 300)
    const start = performance.now()
    await pc.stickOut().catch(() => undefined)
    await pc.shows(/Kernel panic/, 900, 3)
    await pc.shows(/broken did not start, so \S+ runs again/)
    await pc.shows(UP, 900, 2)
    demand(await claimed(), 'it has forgotten its owner')
    const result = await onHost('mtype', '-i', broken, '::gatehouse-result.txt')
    demand(result.includes('TAKEN   gatehouse-image-broken'), result)
    return `${((performance.now() - start) / 1000).toFixed(0)} s until it is up again, after three tries`
  })
  await step('a bundle that is well stays, after its first minutes', async () => {
    const good = join(work, 'good.stick')
    await writeFile(join(work, 'junk.gguf'), 'GGUF, it says')
    await stick(good, 1024, [await renamed(bundle, key, 'two')], [join(work, 'junk.gguf')])
    await pc.stickIn(good)
    await pc.shows(/two is in slot b and is tried/)
    await pc.shows(UP, 900, 3)
    await pc.stickOut().catch(() => undefined)
    await pc.shows(/two is well and stays/)
    await pc.pullPlug()
    const result = await onHost('mtype', '-i', good, '::gatehouse-result.txt')
    demand(
      /REFUSED models\/junk\.gguf: \S/.test(result) && result.includes('TAKEN   gatehouse-image-two'),
      result,
    )
    const entries = await onHost('mdir', '-b', '-i', `${pc.disk}@@1M`, '::loader/entries')
    demand(/gatehouse-b\.conf/.test(entries), entries)
    return undefined
  })
  await step('a factory reset by a file: it is to be claimed anew', async () => {
    await writeFile(join(work, 'laid'), 'wipe all data\r\n')
    await pc.lay(join(work, 'laid'), 'factory-reset.txt')
    pc.switchOn()
    await pc.shows(CLAIM)
    demand(!(await claimed()), 'it knows its owner still')
    return undefined
  })
}

const pc = new Pc(work, Number(values.port))
let failed = 0
try {
  const files = await made()
  if (values.only === undefined) {
    await proveLife(pc, files)
    await pc.pullPlug()
  }
  await provePackets(files.image, join(work, 'packets'), Number(values.port), step)
} catch (error) {
  failed = 1
  console.error(error instanceof Error ? error.message : error)
  console.error(existsSync(join(work, 'console')) ? pc.said().slice(-4000) : '')
} finally {
  await pc.pullPlug()
  await rm(work, { recursive: true, force: true })
}
console.log(failed ? 'not proven' : `proven in ${clock()}`)
process.exit(failed)
