/** Makes the page out of `page/`: a script and what it loads later, a style sheet, an icon, the document that names them. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PageBundle } from './page-bundle.ts'

const TYPES: { [extension: string]: string } = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** The page, and the files that went into it. */
export interface BuiltPage extends PageBundle {
  inputs: string[]
}

/** Builds the page and, where `outdir` is given, writes it there too. Throws with the bundler's messages. */
export async function buildPage(outdir?: string): Promise<BuiltPage> {
  const from = (name: string) => fileURLToPath(new URL(`./page/${name}`, import.meta.url))
  const result = await Bun.build({
    entrypoints: [from('main.ts'), from('style.css')],
    target: 'browser',
    minify: true,
    splitting: true,
    metafile: true,
    naming: '[name]-[hash].[ext]',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  if (!result.success) throw new AggregateError(result.logs, 'The page could not be built.')

  const files: PageBundle['files'] = {}
  const add = (name: string, text: string) => {
    files[name] = { type: TYPES[extname(name)] ?? 'application/octet-stream', text: async () => text }
    return `/assets/${name}`
  }
  const named = new Map<string, string>()
  for (const output of result.outputs) {
    const name = basename(output.path)
    const address = add(name, await output.text())
    if (output.kind === 'entry-point' || output.kind === 'asset') named.set(extname(name), address)
  }
  const icon = await readFile(from('icon.svg'), 'utf8')
  named.set('.svg', add(`icon-${Bun.hash(icon).toString(36)}.svg`, icon))

  const html = await readFile(from('index.html'), 'utf8')
  const page: BuiltPage = {
    inputs: Object.keys(result.metafile?.inputs ?? {}),
    html: html.replace(/\{\{(\.\w+)\}\}/g, (_, extension: string) => named.get(extension) ?? ''),
    files,
  }
  if (outdir) await write(page, outdir)
  return page
}

async function write({ html, files }: PageBundle, outdir: string): Promise<void> {
  await mkdir(outdir, { recursive: true })
  await writeFile(join(outdir, 'index.html'), html)
  for (const [name, { text }] of Object.entries(files)) await writeFile(join(outdir, name), await text())
}
