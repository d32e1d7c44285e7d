/** `bun run build:validator [--outdir DIR]`: writes the validator, one page for everybody who has a file and no box. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { buildValidator } from '../src/web/build-validator.ts'

const { values } = parseArgs({
  options: { outdir: { type: 'string', default: join(import.meta.dirname, '../docs/validator') } },
})
const html = await buildValidator()
await mkdir(values.outdir, { recursive: true })
await writeFile(join(values.outdir, 'index.html'), html)
process.stdout.write(`index.html ${gzipSync(html).length} bytes gzipped\n`)
