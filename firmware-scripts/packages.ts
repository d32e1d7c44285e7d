/** Where packages lie: those of the project, and those that only a release for another machine needs. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const folders = ['..', 'targets'].map(place => join(import.meta.dirname, place, 'node_modules'))

/** The folder of a package. Throws, with what to do, where it is not installed. */
export function packageFolder(name: string): string {
  const found = folders.map(folder => join(folder, name)).find(folder => existsSync(folder))
  if (found === undefined)
    throw new Error(`${name} is not installed: bun install --os='*' --cpu='*' in firmware-scripts/targets`)
  return found
}

export interface Manifest {
  name: string
  version: string
  license?: string
  homepage?: string
}

/** What a package says of itself. */
export async function manifestOf(name: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(packageFolder(name), 'package.json'), 'utf8'))
}

/** Names of the packages out of which a program was bundled, by the paths of its files. */
export function packagesIn(inputs: readonly string[]): string[] {
  const names = inputs.map(input => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1])
  return [...new Set(names.filter(name => name !== undefined))].sort()
}
