/** `bun run build:page --outdir DIR`: writes the page's files, as the binary embeds them. */

import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { buildPage } from '../src/web/build-page.ts'

const { values } = parseArgs({ options: { outdir: { type: 'string' } } })
if (!values.outdir) {
  process.stderr.write('Say where to: --outdir DIR\n')
  process.exit(2)
}
const { html, files } = await buildPage(values.outdir)
const weigh = (name: string, text: string) =>
  process.stdout.write(`${name} ${gzipSync(text).length} bytes gzipped\n`)
weigh('index.html', html)
for (const [name, { text }] of Object.entries(files)) weigh(name, await text())
