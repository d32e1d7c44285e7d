/**
 * `bun run release [--target NAME]… [--key FILE] [--notes TEXT] [--out FOLDER]`: an archive for each target, the same
 * bytes on every machine, with its signature beside it, and what boxes ask for the newest. `--make-key FILE` makes the key.
 */
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { version } from '../src/box/version.ts'
import { build, pinnedRuntime } from './build.ts'
import { newKey, publicKeyOf, signatureOf } from './minisign.ts'
import { type Target, targets } from './natives.ts'
import { releaseDate } from './seal.ts'

const root = resolve(import.meta.dirname, '..')

/**
 * Packs a folder so that nothing but its contents decides the archive's bytes: not who packed it, when, where, or in
 * what order its files were found.
 */
export async function pack(folder: string, archive: string, date: number, level = 6): Promise<void> {
  const partial = `${archive}.partial`
  const same = [
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u=rwX,go=rX',
    '--format=gnu',
  ]
  const tar = ['tar', ...same, `--mtime=@${date}`, '-C', resolve(folder, '..'), '-cf', '-', basename(folder)]
  // The number of threads decides how it is cut into blocks, so it is the same everywhere.
  const xz = ['xz', `-${level}`, '--threads=2', '-c']
  const packing = Bun.spawn(tar, {
    stdout: 'pipe',
    stderr: 'inherit',
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  })
  const squeezing = Bun.spawn(xz, { stdin: packing.stdout, stdout: Bun.file(partial), stderr: 'inherit' })
  if ((await packing.exited) !== 0 || (await squeezing.exited) !== 0)
    throw new Error(`${archive} could not be packed: are tar and xz installed, and is there room?`)
  await rename(partial, archive)
}

/** Signs an archive, and beside it the small file by which a box finds the newest one. */
export async function signed(archive: string, key: string, of: Named, notes: string): Promise<void> {
  const sign = async (file: string) => {
    const comment = `gatehouse ${of.version} ${of.target}`
    await writeFile(`${file}.minisig`, await signatureOf(file, key, comment))
  }
  await sign(archive)
  const { size } = await stat(archive)
  const index = join(archive, '..', `latest-${of.target}.txt`)
  const lines = [`version=${of.version}`, `target=${of.target}`, `bytes=${size}`, `notes=${notes}`]
  await writeFile(index, `${lines.join('\n')}\n`)
  await sign(index)
}

interface Named {
  version: string
  target: string
}

/** Makes one archive; answers with its path. */
async function release(target: Target, out: string, publicKey?: string): Promise<string> {
  const name = `gatehouse-${version}-${target}`
  const folder = join(out, name)
  await mkdir(out, { recursive: true })
  await build({
    ...{ target, out: folder, entry: join(root, 'src/main.ts'), runtime: pinnedRuntime(target) },
    ...(publicKey !== undefined && { publicKey }),
  })
  const archive = `${folder}.tar.xz`
  await pack(folder, archive, releaseDate())
  await rm(folder, { recursive: true })
  return archive
}

function fail(why: string): never {
  console.error(why)
  process.exit(2)
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      target: { type: 'string', multiple: true },
      key: { type: 'string' },
      notes: { type: 'string', default: '' },
      'make-key': { type: 'string' },
      out: { type: 'string', default: join(root, 'dist') },
    },
  })
  const made = values['make-key']
  if (made !== undefined) {
    if (existsSync(made)) fail(`${made} is there already: name a new file`)
    const key = newKey()
    await writeFile(made, key, { mode: 0o600, flag: 'wx' })
    console.log(publicKeyOf(key).trim())
    return
  }
  const wanted = values.target ?? targets
  const unknown = wanted.find(name => !targets.some(target => target === name))
  if (unknown !== undefined) fail(`--target is one of: ${targets.join(', ')}`)
  const key = values.key === undefined ? null : await readFile(values.key, 'utf8')
  if (Bun.spawnSync(['git', 'status', '--porcelain'], { cwd: root }).stdout.length)
    console.error('mind: there are changes that are in no commit')
  const out = resolve(values.out)
  for (const target of targets.filter(name => wanted.includes(name))) {
    const archive = await release(target, out, key === null ? undefined : publicKeyOf(key))
    if (key !== null) await signed(archive, key, { version, target }, values.notes)
    const megabytes = ((await stat(archive)).size / 1e6).toFixed(1)
    console.log(`${archive} ${megabytes} MB, ${key ? 'signed' : 'not signed: --key FILE'}`)
  }
}

if (import.meta.main) await main()
