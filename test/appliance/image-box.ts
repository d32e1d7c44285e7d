/** A box's folders and its scripts, for tests of an image without one. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newKey, publicKeyOf, signatureOf } from '../../firmware-scripts/minisign.ts'
import { folder, root } from '../cli/gatehouse.ts'

export const scripts = join(root, 'firmware-scripts/appliance')
export const text = (path: string) => readFileSync(path, 'utf8')

/** Runs one of the scripts under Debian's sh; `tools`: scripts that stand before the system's own programs. */
export async function sh(
  script: string,
  args: string[],
  more: { tools?: Record<string, string>; dir?: string; input?: string } = {},
): Promise<{ code: number; out: string; err: string }> {
  const bin = join(more.dir ?? folder(), 'bin')
  mkdirSync(bin, { recursive: true })
  for (const [name, body] of Object.entries(more.tools ?? {}))
    writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
  const child = Bun.spawn(['sh', join(scripts, script), ...args], {
    env: { PATH: `${bin}:${process.env.PATH}` },
    stdin: new TextEncoder().encode(more.input ?? ''),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err }
}

/** What a bundle says of itself, and what it holds. */
export interface BundleOf {
  image: string
  date?: number
  target?: string
  /** Of whoever made the box's image, unless told otherwise. */
  key?: string
}

/** A box with its slots as files: `a` runs `one`, and `b` is empty. */
export class SlotBox {
  readonly dir = folder()
  readonly boot = join(this.dir, 'boot')
  readonly data = join(this.dir, 'data')
  readonly slotB = join(this.dir, 'slot-b')
  /** What the engine tells people of. */
  readonly told = join(this.dir, 'told')
  readonly entries = join(this.boot, 'loader/entries')
  readonly #key = newKey()

  constructor() {
    for (const path of [this.entries, join(this.boot, 'gatehouse/a'), join(this.data, 'private/gatehouse')])
      mkdirSync(path, { recursive: true })
    writeFileSync(
      join(this.entries, 'gatehouse-a.conf'),
      'title Gatehouse one (slot a)\nsort-key gatehouse\nversion 1\n',
    )
    writeFileSync(this.slotB, Buffer.alloc(200_000))
    writeFileSync(join(this.dir, 'key.pub'), publicKeyOf(this.#key))
    this.#image('one', 1000)
    writeFileSync(this.database, 'before')
  }

  get database(): string {
    return join(this.data, 'private/gatehouse/gatehouse.db')
  }

  #image(image: string, date: number): void {
    const lines = [`image=${image}`, 'version=1', 'target=linux-x64', `date=${date}`]
    writeFileSync(join(this.dir, `image-${image}`), `${lines.join('\n')}\n`)
  }

  /** Runs ab.sh as the system of a slot. */
  async ab(args: string[], as: { slot?: 'a' | 'b'; image?: string; tools?: Record<string, string> } = {}) {
    const { slot = 'a', image = 'one', tools = {} } = as
    this.#image(image, image === 'one' ? 1000 : 2000)
    const places = ['--boot', this.boot, '--data', this.data, '--slot', slot, '--device', this.slotB]
    const told = ['--told', this.told]
    const about = ['--key', join(this.dir, 'key.pub'), '--image', join(this.dir, `image-${image}`)]
    return await sh('ab.sh', [...args, ...places, ...about, ...told], { dir: this.dir, tools })
  }

  /** Makes a bundle as image.sh does; `spoil` changes what lies in it after it was signed. */
  async bundle(of: BundleOf, spoil: (dir: string) => void = () => undefined): Promise<string> {
    const at = join(this.dir, `bundle-${of.image}`)
    mkdirSync(join(at, 'boot'), { recursive: true })
    writeFileSync(join(at, 'root.squashfs'), Buffer.alloc(100_000, of.image))
    writeFileSync(join(at, 'boot/vmlinuz'), `kernel of ${of.image}`)
    Bun.spawnSync(['tar', '-C', join(at, 'boot'), '-cf', join(at, 'boot.tar'), '.'])
    const hash = (name: string) =>
      new Bun.CryptoHasher('sha256').update(readFileSync(join(at, name))).digest('hex')
    const size = (name: string) => readFileSync(join(at, name)).length
    const lines = [
      ...['format=1', `image=${of.image}`, 'version=2', `target=${of.target ?? 'linux-x64'}`],
      ...[
        `date=${of.date ?? 2000}`,
        `root.squashfs=${hash('root.squashfs')}`,
        `root.size=${size('root.squashfs')}`,
      ],
      ...[`boot.tar=${hash('boot.tar')}`, `boot.size=${size('boot.tar')}`, 'options=quiet'],
    ]
    const manifest = join(at, 'MANIFEST')
    writeFileSync(manifest, `${lines.join('\n')}\n`)
    writeFileSync(`${manifest}.minisig`, await signatureOf(manifest, of.key ?? this.#key, 'test'))
    spoil(at)
    const path = join(this.dir, `gatehouse-image-${of.image}-linux-x64.tar`)
    const names = ['MANIFEST', 'MANIFEST.minisig', 'root.squashfs', 'boot.tar']
    Bun.spawnSync(['tar', '-C', at, '-cf', path, ...names])
    return path
  }
}
