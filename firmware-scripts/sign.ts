/** `bun firmware-scripts/sign.ts --key FILE [--comment TEXT] FILE`: writes the minisign signature of a file beside it. */
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { signatureOf } from './minisign.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { key: { type: 'string' }, comment: { type: 'string', default: 'gatehouse' } },
})
const [file] = positionals
if (values.key === undefined || file === undefined || positionals.length > 1) {
  console.error('usage: sign.ts --key FILE [--comment TEXT] FILE')
  process.exit(2)
}
await writeFile(
  `${file}.minisig`,
  await signatureOf(file, await readFile(values.key, 'utf8'), values.comment),
)
