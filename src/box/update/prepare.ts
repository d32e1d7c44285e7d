import { existsSync, renameSync } from 'node:fs'
import { mkdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { GatehouseError, messageOf } from '../../core/index.ts'
import { run } from './machine.ts'
import { type SigningKey, signedComment } from './minisign.ts'
import { compareVersions, linkedIn, nameOf, type Release, releaseIn, releaseSigned } from './release.ts'
import { type Found, MOST_ARCHIVE } from './source.ts'

export interface Place {
  /** `/opt/gatehouse`. */
  opt: string
  installed: Release
  key: SigningKey
}

/** What is unpacked for each byte of an archive, and what stays free. */
const GROWS = 5
const SPARE = 100 * 1024 * 1024
/** A newer release looks at a picture before anything depends on it. */
const LOOK_SECONDS = 120

/**
 * Takes a release over from a source, so far that nothing but the switch is left: its signature is held against the very
 * bytes that are unpacked, and before that; then its files, whether this machine takes it, and whether it runs here and
 * sees. Answers with its folder. Throws with why not; then nothing of it is left.
 */
export async function prepare(found: Found, place: Place, heard: (percent: number) => void): Promise<string> {
  const { opt, installed, key } = place
  demandNewer(found.release, installed)
  const room = await statfs(opt)
  const need = found.bytes * (1 + GROWS) + SPARE
  if (found.bytes > MOST_ARCHIVE)
    throw new GatehouseError('bad_release', `${found.at} is larger than any release.`)
  if (room.bavail * room.bsize < need)
    throw new GatehouseError(
      'disk_full',
      `${opt} needs ${Math.ceil(need / 1e6)} MB free for the update: remove something there.`,
    )
  const incoming = join(opt, 'incoming')
  const into = join(opt, 'releases', nameOf(found.release))
  if ([linkedIn(opt, 'current'), linkedIn(opt, 'updater')].includes(nameOf(found.release)))
    throw new GatehouseError('not_newer', `${found.release.version} is installed already.`)
  let placed = false
  try {
    await rm(incoming, { recursive: true, force: true })
    await mkdir(incoming, { recursive: true, mode: 0o700 })
    const archive = join(incoming, 'release.tar.xz')
    const signature = await found.signature()
    await found.into(archive, bytes => heard(Math.min(99, Math.floor((bytes / found.bytes) * 100))))
    const signed = releaseSigned(await signedComment(archive, signature, key))
    if (nameOf(signed) !== nameOf(found.release))
      throw new GatehouseError(
        'bad_signature',
        `${found.at} is signed as ${nameOf(signed)}: its name is another.`,
      )
    if (signed.target !== installed.target && !fits(signed.target, installed.target))
      throw new GatehouseError(
        'wrong_target',
        `${found.at} is for ${signed.target}, and this machine takes ${installed.target}.`,
      )
    const folder = await unpacked(archive, incoming, signed)
    await rm(into, { recursive: true, force: true })
    await mkdir(join(opt, 'releases'), { recursive: true })
    renameSync(folder, into)
    placed = true
    await run(['sync', '-f', opt])
    await demandRuns(into, signed)
    return into
  } catch (error) {
    if (placed) await rm(into, { recursive: true, force: true })
    throw error
  } finally {
    await rm(incoming, { recursive: true, force: true })
  }
}

/** The release with and the one without AVX2 are for the same machines. */
function fits(target: string, installed: string): boolean {
  return [target, installed].every(each => each.startsWith('linux-x64'))
}

export function demandNewer({ version }: Release, installed: Release): void {
  const order = compareVersions(version, installed.version)
  if (order === 0) throw new GatehouseError('not_newer', `${version} is installed already.`)
  if (order < 0)
    throw new GatehouseError(
      'not_newer',
      `${version} is older than ${installed.version}, which is installed: to go back say gatehouse update --rollback.`,
    )
}

async function unpacked(archive: string, incoming: string, signed: Release): Promise<string> {
  if (!existsSync('/usr/bin/xz'))
    throw new GatehouseError('no_xz', 'xz is needed to unpack a release: apt-get install xz-utils')
  const folder = join(incoming, `gatehouse-${nameOf(signed)}`)
  await run(['tar', '-xJf', archive, '-C', incoming, '--no-same-owner'], '/', 900)
  if (nameOf(releaseIn(folder)) !== nameOf(signed))
    throw new GatehouseError('bad_release', 'The release is not the one that it is signed as.')
  await run(['sha256sum', '--check', '--quiet', '--strict', 'SHA256SUMS'], folder)
  return folder
}

const WORKFLOW = 'templates/yard-watch.yaml'
const PICTURE = 'templates/cases/pictures/person.jpg'

/** Whether this machine takes it, and whether it runs here and decides about a picture. */
async function demandRuns(folder: string, { version }: Release): Promise<void> {
  await run(['sh', join(folder, 'install.sh'), '--updating', '--dry-run'])
  const program = join(folder, 'gatehouse')
  try {
    const said = JSON.parse(await run([program, 'version', '--json'], folder, 60)) as { version?: string }
    if (said.version !== version) throw new Error(`it says that it is ${said.version}`)
    const look = ['run', WORKFLOW, '--picture', PICTURE, '--event', '{"kind":"motion","camera":"yard"}']
    const seen = await run([program, ...look], folder, LOOK_SECONDS)
    if (!/decision: (?!unsure)\w/.test(seen)) throw new Error('it decides nothing about a picture')
  } catch (error) {
    throw new GatehouseError('does_not_run', `${version} does not run on this machine: ${messageOf(error)}`)
  }
}
