/** Releases to update to: one that is well, and some that are not, each signed. */
import { chmod, link, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { build } from '../build.ts'
import { newKey, publicKeyOf } from '../minisign.ts'
import { pack, signed } from '../release.ts'
import { releaseDate, seal } from '../seal.ts'

const root = resolve(import.meta.dirname, '../..')
const target = 'linux-x64'
export const NEWER = '999.0.0'
export const OLDER = '0.0.1'

/** `folder`/good, crashes, unsigned, older: each a source of updates. Answers with the public key. */
export async function makeReleases(folder: string): Promise<string> {
  const key = newKey()
  const name = (version: string) => `gatehouse-${version}-${target}`
  const newer = join(folder, name(NEWER))
  await mkdir(folder, { recursive: true })
  await build({
    target,
    out: newer,
    entry: join(root, 'src/main.ts'),
    as: NEWER,
    publicKey: publicKeyOf(key),
  })
  const place = async (at: string, version: string) => {
    await mkdir(join(folder, at))
    return join(folder, at, `${name(version)}.tar.xz`)
  }
  const notes = 'Sees in the dark.'
  const good = await place('good', NEWER)
  await pack(newer, good, releaseDate(), 0)
  await signed(good, key, { version: NEWER, target }, notes)
  const forged = await place('forged', NEWER)
  await link(good, forged)
  await signed(forged, newKey(), { version: NEWER, target }, notes)
  // It starts, looks at pictures and says its name, but its service ends at once.
  await rename(join(newer, 'gatehouse'), join(newer, 'gatehouse.real'))
  const wrapper =
    '#!/bin/sh\n[ "$1" = up ] && exit 1\nexec "$(dirname "$(readlink -f "$0")")/gatehouse.real" "$@"\n'
  await writeFile(join(newer, 'gatehouse'), wrapper)
  await chmod(join(newer, 'gatehouse'), 0o755)
  await seal(newer, target, NEWER)
  const crashes = await place('crashes', NEWER)
  await pack(newer, crashes, releaseDate(), 0)
  await signed(crashes, key, { version: NEWER, target }, notes)
  await rm(newer, { recursive: true })
  // It is refused by its name alone.
  const older = await place('older', OLDER)
  await writeFile(older, 'not even an archive')
  await signed(older, key, { version: OLDER, target }, notes)
  return publicKeyOf(key)
}
