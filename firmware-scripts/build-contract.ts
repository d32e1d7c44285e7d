/** `bun run build:contract --outdir DIR`: writes the contract as a package for other programs. */
import { parseArgs } from 'node:util'
import { buildContract } from './contract/build.ts'

const { values } = parseArgs({ options: { outdir: { type: 'string' } } })
if (!values.outdir) {
  process.stderr.write('Say where to: --outdir DIR\n')
  process.exit(2)
}
const { files } = await buildContract(values.outdir)
process.stdout.write(`${values.outdir}: ${files} files\n`)
