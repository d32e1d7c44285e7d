/** What a bundle says of itself: which release it is, and what its files are. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { version } from '../src/box/version.ts'

/** Seconds since the epoch of the commit that is built: no file may tell when that was done. */
export function releaseDate(): number {
  const told = process.env.SOURCE_DATE_EPOCH
  if (told !== undefined) return Number(told)
  const git = Bun.spawnSync(['git', 'log', '-1', '--format=%ct'], { cwd: import.meta.dirname })
  return Number(git.success ? git.stdout.toString() : 0)
}

/** Writes `RELEASE` and, over all files, `SHA256SUMS`: what was damaged on a stick is found before it is installed. */
export async function seal(folder: string, target: string, as = version): Promise<void> {
  const release = [`version=${as}`, `target=${target}`, `date=${releaseDate()}`]
  await writeFile(join(folder, 'RELEASE'), `${release.join('\n')}\n`)
  const all = await Array.fromAsync(new Bun.Glob('**/*').scan({ cwd: folder, dot: true }))
  const files = all.filter(file => file !== 'SHA256SUMS')
  const lines: string[] = []
  for (const file of files.sort()) lines.push(`${await sha256(join(folder, file))}  ${file}\n`)
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''))
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
