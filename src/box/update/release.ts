import { readFileSync, readlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { GatehouseError } from '../../core/index.ts'

/** A release, as its folder and its archive are called: `0.2.0-linux-x64`. */
export interface Release {
  version: string
  target: string
}

const VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}([+-][0-9A-Za-z.-]{1,40})?$/
const TARGET = /^linux-(x64|x64-baseline|arm64)$/
const ARCHIVE = /^gatehouse-(.+)-(linux-(?:x64-baseline|x64|arm64))\.tar\.xz$/

export const nameOf = ({ version, target }: Release): string => `${version}-${target}`
export const archiveOf = (release: Release): string => `gatehouse-${nameOf(release)}.tar.xz`

/** The release that an archive says it is by its name; null: it is none. */
export function releaseNamed(file: string): Release | null {
  const [, version = '', target = ''] = ARCHIVE.exec(basename(file)) ?? []
  return VERSION.test(version) ? { version, target } : null
}

/** The release that a signed comment names. Throws `bad_signature`. */
export function releaseSigned(comment: string): Release {
  const [word, version = '', target = '', ...more] = comment.split(' ')
  if (word !== 'gatehouse' || !VERSION.test(version) || !TARGET.test(target) || more.length)
    throw new GatehouseError(
      'bad_signature',
      'What was signed is no release of Gatehouse: take another file.',
    )
  return { version, target }
}

/** What `RELEASE` in an unpacked folder says. Throws `bad_release`. */
export function releaseIn(folder: string): Release {
  try {
    const text = readFileSync(join(folder, 'RELEASE'), 'utf8')
    const of = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1] ?? ''
    const release = { version: of('version'), target: of('target') }
    if (VERSION.test(release.version) && TARGET.test(release.target)) return release
  } catch {
    // Said below.
  }
  throw new GatehouseError(
    'bad_release',
    `${folder} is no release: install Gatehouse again with its install.sh.`,
  )
}

/** The name of the release that a link of the program's folder leads to; null: it leads nowhere. */
export function linkedIn(opt: string, link: 'current' | 'updater'): string | null {
  try {
    return basename(readlinkSync(join(opt, link)))
  } catch {
    return null
  }
}

/** Below zero: `a` is older. What follows a hyphen comes before the version itself, as semver has it. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)]
  for (const [at, number] of left.numbers.entries()) {
    const other = right.numbers[at] ?? 0
    if (number !== other) return number - other
  }
  if (left.pre === right.pre) return 0
  if (left.pre === null) return 1
  if (right.pre === null) return -1
  return left.pre.localeCompare(right.pre, 'en', { numeric: true })
}

function partsOf(version: string): { numbers: number[]; pre: string | null } {
  const [plain = ''] = version.split('+')
  const [core = '', ...pre] = plain.split('-')
  return { numbers: core.split('.').map(Number), pre: pre.length ? pre.join('-') : null }
}
