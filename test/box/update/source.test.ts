import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newKey, publicKeyOf } from '../../../firmware-scripts/minisign.ts'
import { pack, signed } from '../../../firmware-scripts/release.ts'
import { seal } from '../../../firmware-scripts/seal.ts'
import { AsOwner } from '../../../src/box/update/as-owner.ts'
import { signedComment, signingKeyIn } from '../../../src/box/update/minisign.ts'
import { prepare } from '../../../src/box/update/prepare.ts'
import { archiveOf, compareVersions, releaseNamed } from '../../../src/box/update/release.ts'
import { type Asking, newestAt } from '../../../src/box/update/source.ts'
import { folder, root } from '../../cli/gatehouse.ts'

const target = process.arch === 'x64' ? 'linux-x64' : 'linux-arm64'
const pem = newKey()
const key = signingKeyIn(publicKeyOf(pem))
const owner = new AsOwner([process.execPath, join(root, 'src/main.ts')], [])
const asking: Asking = {
  ...{ target, owner },
  signed: async (text, signature) => void (await signedComment(Buffer.from(text), signature, key)),
}

let dir: string
let opt: string
beforeEach(() => {
  dir = folder()
  opt = join(dir, 'opt')
  mkdirSync(join(opt, 'releases/1.0.0-linux-x64'), { recursive: true })
  symlinkSync('releases/1.0.0-linux-x64', join(opt, 'current'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** A release that runs as far as it is asked to before it is installed. */
async function made(version: string, { by = pem, look = 'decision: person', of = target } = {}) {
  const release = join(dir, `gatehouse-${version}-${of}`)
  mkdirSync(release)
  writeFileSync(join(release, 'install.sh'), '#!/bin/sh\n')
  const says = `case $1 in version) echo '{"version":"${version}"}' ;; run) echo '${look}' ;; esac`
  writeFileSync(join(release, 'gatehouse'), `#!/bin/sh\n${says}\n`)
  chmodSync(join(release, 'gatehouse'), 0o755)
  await seal(release, of, version)
  mkdirSync(join(dir, 'stick'), { recursive: true })
  const archive = join(dir, 'stick', archiveOf({ version, target: of }))
  await pack(release, archive, 1_800_000_000, 0)
  await signed(archive, by, { version, target: of }, 'Sees in the dark.')
  return archive
}
const stick = () => ({ kind: 'folder' as const, path: join(dir, 'stick') })
const taken = async (shelf: Parameters<typeof newestAt>[0], installed = '1.0.0') => {
  const found = await newestAt(shelf, asking)
  if (!found) throw new Error('nothing is there')
  return prepare(found, { opt, installed: { version: installed, target }, key }, () => undefined)
}
const left = () => Bun.spawnSync(['ls', opt]).stdout.toString().split('\n').filter(Boolean)

describe('a source of updates', () => {
  it('is no pipe and no device, and neither is a signature', async () => {
    const archive = await made('1.1.0')
    rmSync(`${archive}.minisig`)
    symlinkSync('/dev/zero', `${archive}.minisig`)
    await expect(taken(stick())).rejects.toMatchObject({ code: 'bad_signature' })
    rmSync(archive)
    Bun.spawnSync(['mkfifo', archive])
    await expect(newestAt(stick(), asking)).rejects.toMatchObject({ code: 'no_source' })
  })

  it('has the newest release of a folder, with what is new; it is unpacked when all of it was looked at', async () => {
    await made('1.1.0')
    await made('1.10.0')
    const found = await newestAt(stick(), asking)
    expect(found).toMatchObject({ release: { version: '1.10.0', target }, notes: 'Sees in the dark.' })
    const into = await taken(stick())
    expect(readFileSync(join(into, 'RELEASE'), 'utf8')).toContain('version=1.10.0')
    expect(left()).toEqual(['current', 'releases'])
  })

  it('may be an address, whose signed index says what is the newest', async () => {
    const archive = await made('1.1.0')
    const server = Bun.serve({
      port: 0,
      fetch: request => new Response(Bun.file(join(dir, 'stick', new URL(request.url).pathname.slice(1)))),
    })
    try {
      const url = new URL(`http://127.0.0.1:${server.port}/`)
      expect(await taken({ kind: 'url', url })).toContain('1.1.0')
      const index = join(dir, 'stick', `latest-${target}.txt`)
      writeFileSync(index, readFileSync(index, 'utf8').replace('1.1.0', '9.9.9'))
      await expect(taken({ kind: 'url', url })).rejects.toThrow('not what was signed')
      rmSync(archive)
    } finally {
      await server.stop(true)
    }
  })

  it.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'signed by somebody else',
      () => made('1.1.0', { by: newKey() }),
      /made with another key.*Nothing was unpacked/,
    ],
    [
      'changed after it was signed',
      async () => {
        const archive = await made('1.1.0')
        const bytes = readFileSync(archive)
        bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
        writeFileSync(archive, bytes)
      },
      /not what was signed/,
    ],
    ['without a signature', async () => rmSync(`${await made('1.1.0')}.minisig`), /has to be signed/],
    [
      'named as another version than it is signed as',
      async () => {
        const archive = await made('1.1.0')
        for (const end of ['', '.minisig']) cpSync(archive + end, archive.replace('1.1.0', '2.0.0') + end)
      },
      /signed as 1.1.0/,
    ],
    ['older', () => made('0.9.0'), /older than 1.0.0/],
    ['the same', () => made('1.0.0'), /installed already/],
    [
      'for another machine',
      () => made('1.1.0', { of: 'linux-arm64' }),
      /releases for linux-arm64, and this machine/,
    ],
    [
      'one that sees nothing',
      () => made('1.1.0', { look: 'decision: unsure' }),
      /does not run on this machine/,
    ],
  ])('is refused where its release is %s, and nothing of it is left', async (_, make, why) => {
    await make()
    await expect(taken(stick())).rejects.toThrow(why)
    expect(left()).toEqual(['current', 'releases'])
    expect(
      Bun.spawnSync(['ls', join(opt, 'releases')])
        .stdout.toString()
        .trim(),
    ).toBe('1.0.0-linux-x64')
  })

  it('that is not there is said', async () => {
    await expect(newestAt({ kind: 'folder', path: '/nonexistent/stick' }, asking)).rejects.toThrow(
      'plugged in',
    )
  })
})

it('versions come in their order', () => {
  const all = ['0.9.0', '0.10.0-rc.1', '0.10.0-rc.2', '0.10.0', '0.10.1', '1.0.0']
  expect(all.toReversed().toSorted(compareVersions)).toEqual(all)
  expect(releaseNamed('gatehouse-1.0.0-linux-x64-baseline.tar.xz')?.target).toBe('linux-x64-baseline')
  for (const name of ['gatehouse-../x-linux-x64.tar.xz', 'gatehouse-1.0-linux-x64.tar.xz', 'x.tar.xz'])
    expect(releaseNamed(name)).toBeNull()
})
