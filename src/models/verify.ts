/** Holds files to what the catalogue says of them. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { GatehouseError } from '../core/index.ts'
import type { Catalogue, ModelFile } from './catalogue.ts'

export interface FileCheck {
  model: string
  path: string
  state: 'ok' | 'missing' | 'wrong'
  /** One line that says what to do; empty when all is well. */
  message: string
}

/** SHA-256 of a file, hex, read in pieces. */
async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** Checks the size and hash of every file, or of those of one model. */
export async function verify(catalogue: Catalogue, name?: string): Promise<FileCheck[]> {
  const models = name === undefined ? catalogue.models : [catalogue.get(name)]
  const checks: FileCheck[] = []
  for (const model of models) {
    for (const file of Object.values(model.files)) {
      checks.push({ model: model.name, path: file.path, ...(await checkFile(catalogue.filesDir, file)) })
    }
  }
  return checks
}

/**
 * Whether all files are there with the size that the catalogue says: what a start can afford to ask. Throws
 * `GatehouseError` `models_missing`.
 */
export async function demandFiles(catalogue: Catalogue): Promise<void> {
  const files = catalogue.models.flatMap(({ files }) => Object.values(files))
  const sizes = await Promise.all(
    files.map(({ path }) =>
      stat(join(catalogue.filesDir, path)).then(
        ({ size }) => size,
        () => null,
      ),
    ),
  )
  const bad = files.filter(({ bytes }, i) => sizes[i] !== bytes).map(({ path }) => path)
  if (!bad.length) return
  throw new GatehouseError(
    'models_missing',
    `model files are missing or broken (${bad.join(', ')}): run "bun run models", or install Gatehouse again`,
  )
}

async function checkFile(dir: string, file: ModelFile): Promise<Pick<FileCheck, 'state' | 'message'>> {
  const path = join(dir, file.path)
  const found = await stat(path).catch(() => null)
  if (!found?.isFile()) {
    return { state: 'missing', message: `${path} is missing: run "bun models/make.ts" or install it again` }
  }
  if (found.size !== file.bytes) {
    return {
      state: 'wrong',
      message: `${path} has ${found.size} bytes, the catalogue says ${file.bytes}: delete it`,
    }
  }
  const hash = await hashOf(path)
  if (hash !== file.sha256) {
    return {
      state: 'wrong',
      message: `${path} has SHA-256 ${hash}, the catalogue says ${file.sha256}: delete it`,
    }
  }
  return { state: 'ok', message: '' }
}
