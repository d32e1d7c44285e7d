/** The licence texts that a bundle must carry along. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const modules = join(import.meta.dirname, '..', 'node_modules')

/** The executable's own part that is no package. */
const runtime = (version: string) => `Bun ${version}, the runtime inside the executable.
MIT License, copyright Oven and contributors. It links JavaScriptCore and WebKit (LGPL-2.1) statically; sources and
the way to relink: https://github.com/oven-sh/bun, https://github.com/oven-sh/webkit
`

/**
 * File name → text, for the packages out of which the program was bundled (`inputs`: paths of the bundler's
 * metafile) and for the `others`.
 */
export async function licences(
  inputs: readonly string[],
  others: readonly string[],
): Promise<Map<string, string>> {
  const names = new Set(others)
  for (const input of inputs) {
    const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]
    if (name !== undefined) names.add(name)
  }
  const texts = new Map([['bun.txt', runtime(Bun.version)]])
  for (const name of [...names].sort()) texts.set(`${name.replace('/', '__')}.txt`, await licenceOf(name))
  return texts
}

async function licenceOf(name: string): Promise<string> {
  const folder = join(modules, name)
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const files = (await readdir(folder)).filter(file =>
    /^(licen[cs]e|notice|copying|thirdpartynotices)/i.test(file),
  )
  // libvips states the licences of its parts in its read-me.
  if (files.length === 0) files.push(...(await readdir(folder)).filter(file => /^readme/i.test(file)))
  const texts = await Promise.all(files.sort().map(file => readFile(join(folder, file), 'utf8')))
  return [`${manifest.name} ${manifest.version} (${manifest.license ?? 'see below'})`, ...texts].join('\n\n')
}
