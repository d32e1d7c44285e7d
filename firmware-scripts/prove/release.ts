/**
 * `bun run prove:release [--target NAME]…`: makes each archive twice, in different folders, and holds them against each
 * other byte by byte; says how large they are, with the models and without them. Takes some minutes.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { targets } from '../natives.ts'
import { pack } from '../release.ts'
import { releaseDate } from '../seal.ts'
import { onHost } from './machine.ts'

/** What somebody on a slow line is asked to fetch, models aside. */
const MOST_MB = 75

const { values } = parseArgs({ options: { target: { type: 'string', multiple: true } } })
const root = resolve(import.meta.dirname, '../..')
let failed = 0
for (const target of values.target ?? targets) {
  const work = await mkdtemp(join(tmpdir(), 'gatehouse-release-'))
  try {
    const [first, second] = [
      await made(target, join(work, 'one')),
      await made(target, join(work, 'other, too')),
    ]
    const same = first.sum === second.sum
    const bare = await withoutModels(first.archive, join(work, 'bare'))
    const whole = megabytes((await stat(first.archive)).size)
    console.log(
      `${same ? 'ok' : 'NOT'} ${target}: twice the same bytes (${first.sum.slice(0, 16)}…), ${whole} MB, ${bare} MB without models`,
    )
    if (!same || bare > MOST_MB) failed = 1
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}
console.log(
  failed ? `not proven: an archive differs, or has more than ${MOST_MB} MB without models` : 'proven',
)
process.exit(failed)

async function made(target: string, out: string): Promise<{ archive: string; sum: string }> {
  await onHost(process.execPath, join(root, 'firmware-scripts/release.ts'), '--target', target, '--out', out)
  const name = (await readdir(out)).find(each => each.endsWith('.tar.xz'))
  if (name === undefined) throw new Error(`no archive was made in ${out}`)
  const hash = createHash('sha256')
  await pipeline(createReadStream(join(out, name)), hash)
  return { archive: join(out, name), sum: hash.digest('hex') }
}

async function withoutModels(archive: string, into: string): Promise<number> {
  await onHost('mkdir', '-p', into)
  await onHost('tar', '-xJf', archive, '-C', into, '--exclude=*/models/files')
  const [folder = ''] = await readdir(into)
  await pack(join(into, folder), join(into, 'bare.tar.xz'), releaseDate())
  return megabytes((await stat(join(into, 'bare.tar.xz'))).size)
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e5) / 10
}
