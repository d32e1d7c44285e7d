/** The licence texts that a bundle must carry along. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { manifestOf, packageFolder } from './packages.ts'

/** Texts that no package brings: GNU's, and those of packages that left theirs out. */
const own = join(import.meta.dirname, 'licence-texts')

/** Packages whose licence stands in `licence-texts`, or that state the licences of their parts in their read-me. */
const elsewhere: Record<string, RegExp> = {
  'onnxruntime-node': /^package\.json$/,
  'onnxruntime-common': /^package\.json$/,
  '@img/sharp-libvips-linux-arm64': /^readme/i,
  '@img/sharp-libvips-linux-x64': /^readme/i,
}

const runtime = `Bun ${Bun.version}, the runtime inside the executable.

MIT License, copyright Oven and contributors: https://github.com/oven-sh/bun
It links WebKit's JavaScriptCore statically, which is under the LGPL 2.1 (LGPL-2.1.txt). Its sources and how to link
anew: https://github.com/oven-sh/webkit
`

/** File name → text, for the packages. Throws where one comes without a licence, so that somebody looks for it. */
export async function licences(names: readonly string[]): Promise<Map<string, string>> {
  const texts = new Map([['bun.txt', runtime]])
  for (const file of await readdir(own)) texts.set(file, await readFile(join(own, file), 'utf8'))
  for (const name of names) texts.set(`${name.replace('/', '__')}.txt`, await licenceOf(name))
  return texts
}

async function licenceOf(name: string): Promise<string> {
  const folder = packageFolder(name)
  const { version, license } = await manifestOf(name)
  const wanted = elsewhere[name] ?? /^(licen[cs]e|notice|copying)/i
  const files = (await readdir(folder)).filter(file => wanted.test(file)).sort()
  if (files.length === 0)
    throw new Error(`${name} comes without a licence text: see firmware-scripts/licences.ts`)
  const texts = await Promise.all(files.map(file => readFile(join(folder, file), 'utf8')))
  return [`${name} ${version}: ${license}`, ...texts].join('\n\n')
}
