/** The places in the code that commit, read from the code itself: a new one is missed by nobody. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const src = join(import.meta.dirname, '../../src')
/** Floors that commit while runs go on. */
const FLOORS = ['engine', 'site']
const CALL = /(^\s*|\bstore)\.write\(/
const METHOD = /^ {0,2}(?:export )?(?:async )?(?:function )?(#?\w+)(?:<[^>]*>)?\(.*\{$/

/** A place that commits: `engine/runs.ts begin`, and its line. */
export interface CommitSite {
  where: string
  line: string
}

export function commitSites(): CommitSite[] {
  return FLOORS.flatMap(floor =>
    readdirSync(join(src, floor), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts'))
      .flatMap(name => sitesOf(join(src, floor, name))),
  )
}

function sitesOf(path: string): CommitSite[] {
  const file = relative(src, path)
  let inside = ''
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((text, i) => {
      inside = METHOD.exec(text)?.[1] ?? inside
      return CALL.test(text) ? [{ where: `${file} ${inside}`, line: `${file}:${i + 1}` }] : []
    })
}

/** The place that is committing right now, as `engine/runs.ts:95`. */
export function committing(): string | null {
  for (const frame of new Error('here').stack?.split('\n') ?? []) {
    const found = /\/src\/((?:engine|site)\/.+\.ts:\d+)/.exec(frame)
    if (found) return found[1] ?? null
  }
  return null
}
